// The league over many evenings, and a page for each player.
import { Choices, dated, gameName, html, t, useEffect, useRef, useState } from "/w/ui.js";

const L = (name, facts) => t(`hall-league-${name}`, facts);
const day = (at) => dated(at * 1000, { dateStyle: "medium" });

/** What an ask came back with, asked again when `key` changes and when the line is back. */
const useAsked = (ask, what, facts, key, there) => {
  const [found, setFound] = useState({});
  useEffect(() => { let here = true; if (there) ask(what, facts).then((value) => here && value !== undefined && setFound({ key, value })); return () => { here = false; }; }, [key, there]);
  return found.key === key ? found.value : null;
};

export const League = ({ ask, there }) => {
  const [game, setGame] = useState(""), found = useAsked(ask, "league", { game }, game, there);
  if (!found) return html`<p role="status">${found === false ? "" : t("page-loading")}</p>`;
  return html`<div class="stack narrow"><h2>${t("hall-nav-league")}</h2>
    ${found.games.length === 0 && html`<p class="panel">${L("none")}</p>`}
    ${found.games.length > 1 && html`<${Choices} label=${t("hall-tour-game")} value=${found.game} choose=${setGame} values=${found.games.map((one) => [one, one ? gameName(one) : t("hall-tour-any_game")])} />`}
    ${found.lines.length > 0 && html`<div class="scroll" tabindex="0" role="region" aria-label=${t("hall-nav-league")}><table class="standings"><thead><tr><th scope="col">${t("hall-tour-rank")}</th><th scope="col">${t("hall-tour-name")}</th><th scope="col">${L("rating")}</th><th scope="col">±</th><th scope="col" class="wide">${t("hall-tour-played")}</th><th scope="col" class="wide">${t("hall-tour-won")}</th></tr></thead>
      <tbody>${found.lines.map((one) => html`<tr key=${one.id} data-test="line"><td>${one.rank}</td><th scope="row"><a href=${`#/player/${one.id}`}>${one.name}</a><span class="narrow-only small soft">${t("hall-tour-played")} ${one.matches} · ${t("hall-tour-won")} ${one.won}</span></th><td><b>${one.rating}</b></td><td>${one.spread}</td><td class="wide">${one.matches}</td><td class="wide">${one.won}</td></tr>`)}</tbody></table></div>
      <p class="small soft">${L("about")}</p>`}</div>`;
};

/** A rating's way, match by match. */
const Curve = ({ curve, label }) => {
  const values = curve.map(([, value]) => value), low = Math.min(...values), high = Math.max(...values, low + 1);
  const x = (at) => (curve.length < 2 ? 150 : (at / (curve.length - 1)) * 296 + 2), y = (value) => 78 - ((value - low) / (high - low)) * 74;
  return html`<svg class="curve" viewBox="0 0 300 80" role="img" aria-label=${label}><polyline points=${values.map((value, at) => `${x(at)},${y(value)}`).join(" ")} /><circle cx=${x(values.length - 1)} cy=${y(values[values.length - 1])} r="3" /></svg>`;
};

export const Player = ({ id, ask, there, owns, tell }) => {
  const found = useAsked(ask, "player", { id }, id, there);
  const sure = useRef(), [forgets, setForgets] = useState(false);
  const forget = async () => { if ((await ask("forget_player", { name: found.name })) !== undefined) { tell(L("forgotten")); location.hash = "#/league"; } };
  if (!found) return html`<p role="status">${found === false ? L("nobody") : t("page-loading")}</p>`;
  const names = (side) => side.map((one, at) => html`${at > 0 && " & "}${one.id && one.id !== found.id ? html`<a href=${`#/player/${one.id}`}>${one.name}</a>` : one.name}`);
  return html`<div class="stack narrow"><h2 class="big">${found.name}</h2>
    ${Object.entries(found.games).map(([game, one]) => html`<section class="panel stack" key=${game}><h3>${game ? gameName(game) : t("hall-tour-any_game")} · ${one.rating} <span class="soft">± ${one.spread}</span></h3>
      <p>${L("tally", { matches: one.matches, won: one.won, drawn: one.drawn })}</p>${one.curve.length > 1 && html`<${Curve} curve=${one.curve} label=${L("curve", { first: one.curve[0][1], last: one.rating })} />`}</section>`)}
    ${found.tournaments.length > 0 && html`<section><h3>${t("hall-nav-tournaments")}</h3><ul class="said">${found.tournaments.map((one) => html`<li key=${one.id}><a href=${`#/tournament/${one.id}/standings`}>${one.title}</a> <b>${L("rank", one)}</b></li>`)}</ul></section>`}
    <h3>${L("matches")}</h3>
    <ul class="said">${found.matches.map((one, at) => { const mine = one.games[one.mine], best = Math.max(...one.games); return html`<li key=${at}><span class="soft small">${one.at ? day(one.at) : ""} · ${one.where}</span><br />${one.sides.map((side, k) => html`${k > 0 && " – "}<span class=${one.games[k] === best ? "won" : ""}>${names(side)}</span>`)} <b>${one.games.join(" – ")}</b> <span class="badge">${L(mine < best ? "lost" : one.games.filter((games) => games === best).length > 1 ? "drew" : "won")}</span></li>`; })}</ul>${found.more > 0 && html`<p class="small soft">${L("more", { number: found.more })}</p>`}
    ${owns && html`<section class="panel stack" ref=${sure}><h3>${L("forget")}</h3><p class="small soft">${L("forget_about")}</p>${forgets ? html`<div class="row"><button class="button danger" onClick=${forget}>${L("forget_sure", { name: found.name })}</button><button class="button" onClick=${() => setForgets(false)}>${t("page-close")}</button></div>` : html`<button class="button danger" onClick=${() => setForgets(true)}>${L("forget")}</button>`}</section>`}
  </div>`;
};
