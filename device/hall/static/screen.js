// The hall on a television: nothing to touch, large, one sheet after the other: tables, who plays whom, who stands where.
import { Suit } from "/w/cards.js";
import { isBoard, whoseTurn } from "/follow.js";
import { Side, alertOf, fine, givenName, html, playerName, t, useEffect, useState } from "/w/ui.js";

const EACH_MS = 12_000, TABLES = 9, LINES = 12, URGENT = ["alert", "question"];
const T = (name, facts) => t(`hall-tour-${name}`, facts);
const half = (number) => (number % 1 ? `${Math.floor(number) || ""}½` : String(number));
const parts = (all, size) => Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size));

/** Which tournaments are shown: those that go on; if none does, none. */
export const shownTournaments = (state) => Object.entries(state?.tournaments || {}).filter(([, one]) => !one.over && one.rounds > 0).map(([id]) => id);

const names = (row, side) => row.seats.map((name, seat) => [name, seat]).filter(([, seat]) => (row.view.sides || [])[seat] === side).map(([, seat]) => playerName(row.seats, seat, isBoard(row.view))).join(" & ");

/** Who plays at a table by a tournament that goes on, where the table itself knows no names. */
const drawnAt = (held, name) => held.flatMap((now) => now.rounds[now.rounds.length - 1]?.meetings || []).find((one) => one.device === name && !one.games && !one.off);

const Table = ({ row, drawn }) => {
  const { view } = row, sides = view.sides ? [...new Set(view.sides)].sort() : row.scores.map((_, at) => at), named = row.seats.some((_, seat) => givenName(row.seats, seat));
  return html`<li class="big-table ${URGENT.includes(row.needs) ? `needs-${row.needs}` : ""} ${row.online ? "" : "away"}" data-test="big-table">
    <h2>${row.title}${view.trump && html`<span class="big-trump" role="img" aria-label=${t("page-table-trump_is", { suit: t(`card-suit_${view.trump}`) })}><${Suit} suit=${view.trump} /></span>`}</h2>
    ${sides.map((side) => html`<p class="big-side" key=${side}><${Side} side=${side} /><span class="grow">${view.sides && named ? names(row, side) : (drawn?.sides[side] || []).join(" & ")}</span><b>${row.scores[side] ?? ""}</b></p>`)}
    <p class="big-turn">${row.online ? row.alert ? fine(alertOf(row)) : fine(whoseTurn(view, row.seats)) : t("hall-needs-gone")}</p></li>`;
};

const Tables = ({ rows, held }) => html`<ul class=${`big-tables ${rows.length <= 4 ? "few" : ""}`}>${rows.map((row) => html`<${Table} key=${row.name} row=${row} drawn=${drawnAt(held, row.name)} />`)}</ul>`;

const Pairings = ({ meetings }) => html`<ol class=${`big-lines ${meetings.length <= 6 ? "few" : ""}`}>${meetings.map((one) => html`<li class="big-line ${one.off ? "gone" : ""}"><b class="big-number">${one.table || "…"}</b>
  <span class="grow"><${Side} side=${0} />${one.sides[0].join(" & ")}</span><b>${one.off ? T("off") : one.games ? `${one.games[0]} – ${one.games[1]}` : "–"}</b><span class="grow right">${one.sides[1].join(" & ")}<${Side} side=${1} /></span></li>`)}</ol>`;

const Standings = ({ lines }) => html`<ol class=${`big-lines ${lines.length <= 6 ? "few" : ""}`}>${lines.map((one) => html`<li class="big-line ${one.gone ? "gone" : ""}"><b class="big-number">${one.rank}</b><span class="grow">${one.name}</span><span class="soft">${T("games_short", { won: one.games[0], lost: one.games[1] })}</span><b>${half(one.points)}</b></li>`)}</ol>`;

/** Every sheet there is to show now, each with its title. */
const sheets = (state, held) => {
  const rows = Object.values(state.tables || {}).filter((row) => row.online || row.view.game).sort((a, b) => a.title.localeCompare(b.title, undefined, { numeric: true }));
  const found = parts(rows, TABLES).map((some) => [`tables ${some[0].name}`, t("hall-title"), html`<${Tables} rows=${some} held=${held} />`]);
  for (const now of held) {
    const last = now.rounds.length - 1, round = now.rounds[last];
    if (round) {
      found.push(...parts(round.meetings, LINES).map((some, at) => [`pairings ${now.id} ${at}`, `${now.title} · ${T("round", { number: last + 1 })}`, html`<${Pairings} meetings=${some} />${round.byes.length > 0 && at === 0 && html`<p class="big-byes"><b>${T("byes")}</b> ${round.byes.join(", ")}</p>`}`]));
      found.push(...parts(now.standings, LINES).map((some, at) => [`standings ${now.id} ${at}`, `${now.title} · ${T("standings")}`, html`<${Standings} lines=${some} />`]));
    }
  }
  return found;
};

export const Screen = ({ state, held }) => {
  const [at, setAt] = useState(0), all = sheets(state, held);
  useEffect(() => { const timer = setInterval(() => setAt((now) => now + 1), EACH_MS); return () => clearInterval(timer); }, []);
  if (!all.length) return html`<div class="big-screen" role="main"><h1>${t("hall-title")}</h1><p>${t("hall-none")}</p></div>`;
  const [key, title, sheet] = all[at % all.length];
  return html`<div class="big-screen" role="main" data-test="screen" key=${key}><h1>${title}<span class="big-dots" aria-hidden="true">${all.map((_, one) => html`<i class=${one === at % all.length ? "now" : ""}></i>`)}</span></h1>${sheet}</div>`;
};
