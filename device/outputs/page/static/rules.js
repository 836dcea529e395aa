// The rules of the games, short and with pictures, as this house plays them; and the one that an alert is about.
import { Card } from "/w/cards.js";
import { Board } from "/w/board.js";
import { Choices, Sheet, fine, gameName, html, said, t, useEffect, useState } from "/w/ui.js";

const GAMES = ["turufu", "triomphe", "pille", "sueca", "belote", "mraha", "awale"];
const HEADS = { cards: "board", deal: "begin" }; // What these parts are called where seeds are played.

/** The cards of a suit in their order, with what each is worth. */
const Order = ({ order }) => html`<figure class="order"><figcaption class="small soft">${order.trump === null ? "" : `${t(order.trump ? "page-rules-trump" : "page-rules-plain")} · `}${t("page-rules-strong")}</figcaption>
  <div class="cards">${order.cards.map((card, at) => html`<span key=${card}><${Card} card=${card} mini />${order.points.some((one) => one) && html`<b class="small">${order.points[at] || "–"}</b>`}</span>`)}</div></figure>`;

const House = ({ options }) => options.length > 0 && html`<section><h3>${t("page-rules-house")}</h3><dl class="options">${options.map((one) => html`<div key=${one.name}><dt>${one.title}: <b>${one.value === true ? t("page-yes") : one.value === false ? t("page-no") : one.value}</b></dt><dd class="small soft">${one.about}</dd></div>`)}</dl></section>`;

/** What an alert's rule wants, in plain words, and what usually follows. */
const Wanted = ({ rule, house }) => html`<section class="panel stack wanted" data-test="rule"><h3>${t("page-rules-of_alert")}</h3><p>${fine(rule.text)}</p>
  ${house.filter((one) => rule.options.includes(one.name)).map((one) => html`<p key=${one.name}><b>${t("page-rules-house")}</b>${one.title}: ${one.value}. <span class="soft">${one.about}</span></p>`)}
  <p><b>${t("page-rules-usual")}</b>${fine(rule.usual)}</p></section>`;

export const Rules = ({ game, about, ask, close }) => {
  const [shown, setShown] = useState(game || GAMES[0]), [found, setFound] = useState(null);
  useEffect(() => { let gone = false; ask("rules", { game: shown }).then((rules) => !gone && rules && setFound(rules)); return () => { gone = true; }; }, [shown]);
  const rule = shown === game && found?.game === game ? found?.rules[about] : null;
  return html`<${Sheet} label=${found ? `${t("page-rules-title")} · ${gameName(shown)}` : t("page-rules-title")} close=${close}>
    ${!found ? html`<p role="status">${t("page-loading")}</p>` : html`
      ${rule && html`<${Wanted} rule=${rule} house=${found.house} />`}
      <p><b>${fine(found.aim)}</b></p>
      ${found.parts.map(([part, text]) => html`<section key=${part}><h3>${t(`page-rules-${(found.pits && HEADS[part]) || part}`)}</h3><p>${fine(text)}</p>
        ${part === "cards" && found.orders.map((order) => html`<${Order} key=${String(order.trump)} order=${order} />`)}
        ${part === "deal" && found.pits && html`<${Board} view=${{ game: found.game }} pits=${found.pits} labels=${{ south: t("table-south"), north: t("table-north") }} />`}</section>`)}
      <${House} options=${found.house} />`}
    <div class="field"><span class="label">${t("page-rules-game")}</span><${Choices} label=${t("page-rules-game")} values=${GAMES.filter((one) => said(`${one}-name`)).map((one) => [one, gameName(one)])} value=${shown} choose=${setShown} /></div>
  <//>`;
};

/** Which rule an alert is about. */
export const ruleOf = (alert) => alert?.rule ?? (alert?.notice === "revoke" ? "revoke" : null);
