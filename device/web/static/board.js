// A board of pits as it is now, whatever its rows and columns: the seeds, and the last turn as a path over it.
import { html, t } from "/w/ui.js";

const PIT = 100, GAP = 10, EDGE = 34;
const MOST_DRAWN = 24;
const HOUSES = { mraha: [[1, 3], [2, 4]] };
/** The same heap for the same pit and count: seeds spiral out from the middle. */
const heap = (count, row, column) => Array.from({ length: Math.min(count, MOST_DRAWN) }, (_, at) => {
  const turn = at * 2.39996 + row * 1.7 + column * 0.9, reach = count === 1 ? 0 : 8.2 * Math.sqrt(at + 0.6);
  return [Math.cos(turn) * reach, Math.sin(turn) * reach, (turn * 57) % 180];
});
const middle = (row, column, split) => [EDGE + column * (PIT + GAP) + PIT / 2, EDGE + row * (PIT + GAP) + PIT / 2 + (row >= split ? GAP * 1.6 : 0)];

/** The turn's way: where it began, an arrow for each sowing, the last the brightest. */
const Path = ({ path, split }) => {
  if (!path?.length) return null;
  const [[start], ...laps] = path, shown = laps.slice(-5);
  const at = ([row, column]) => middle(row, column, split);
  const last = laps.length ? laps[laps.length - 1].slice(-1)[0] : start;
  const [sx, sy] = at(start), [lx, ly] = at(last);
  return html`<g class="path" aria-hidden="true">
    ${shown.map((pits, lap) => {
      const points = (lap === 0 && shown.length === laps.length ? [start, ...pits] : pits).map(at);
      const side = (lap - (shown.length - 1) / 2) * 7;
      return html`<g class=${lap === shown.length - 1 ? "newest" : "older"}><polyline points=${points.map(([x, y]) => `${x + side},${y + side}`).join(" ")} />
        ${pits.map((pit) => { const [x, y] = at(pit); return html`<circle cx=${x + side} cy=${y + side} r="6" />`; })}</g>`;
    })}
    <circle class="start" cx=${sx} cy=${sy} r="46" />
    <circle class="end" cx=${lx} cy=${ly} r="46" />
  </g>`;
};

export const Board = ({ view, pits, path, choose, changed = [], labels = {} }) => {
  const counts = pits || view.pits;
  const rows = counts ? counts.length : view.captured ? 2 : 4, columns = counts ? counts[0].length : view.captured ? 6 : 8, split = rows / 2;
  const wide = 2 * EDGE + columns * PIT + (columns - 1) * GAP, high = 2 * EDGE + rows * PIT + (rows - 1) * GAP + GAP * 1.6;
  const houses = HOUSES[view.game] || [];
  /** A pit that is tapped, or reached with the keyboard. */
  const chosen = (row, column, count) => ({ role: "button", tabindex: 0, "aria-label": t("page-mend-pit", { row: row + 1, column: column + 1, count: count ?? "?" }),
    onClick: () => choose(row, column), onKeyDown: (event) => ["Enter", " "].includes(event.key) && (event.preventDefault(), choose(row, column)) });
  const south = view.turn === "south" || view.turn === 0, north = view.turn === "north" || view.turn === 1;
  return html`<div class="bao">
    <${Owner} name=${labels.north} hand=${view.in_hand?.north} taken=${view.captured?.north} turn=${north} />
    <svg viewBox="0 0 ${wide} ${high}" role=${choose ? "group" : "img"} aria-label=${counts ? t("page-board-counts", { rows: counts.map((row) => row.map((one) => one ?? "?").join(" ")).join("; ") }) : t("page-board-hidden")}>
      <defs>
        <linearGradient id="wood" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#a9713f" /><stop offset=".5" stop-color="#8a5629" /><stop offset="1" stop-color="#6e4120" /></linearGradient>
        <radialGradient id="pit" cx=".5" cy=".42" r=".62"><stop offset="0" stop-color="#3a2110" /><stop offset=".75" stop-color="#52301a" /><stop offset="1" stop-color="#7b4d2a" /></radialGradient>
        <radialGradient id="seed" cx=".36" cy=".3" r=".8"><stop offset="0" stop-color="#f2f3ea" /><stop offset=".45" stop-color="#c2c9b8" /><stop offset="1" stop-color="#6d7567" /></radialGradient>
        <marker id="tip" viewBox="0 0 10 10" refX="8" refY="5" markerWidth="3.4" markerHeight="3.4" orient="auto"><path d="M0 0L10 5L0 10Z" fill="#ffd54a" /></marker>
      </defs>
      <rect class="wood" x="2" y="2" width=${wide - 4} height=${high - 4} rx="30" />
      <path d="M24 ${middle(split, 0, split)[1] - PIT / 2 - GAP * 1.3}H${wide - 24}" stroke="#0006" stroke-width="4" />
      ${Array.from({ length: rows }, (_, row) => Array.from({ length: columns }, (__, column) => {
        const [x, y] = middle(row, column, split), count = counts?.[row]?.[column];
        const house = houses.some(([r, c]) => r === row && c === column), mark = changed.some(([r, c]) => r === row && c === column);
        return html`<g transform="translate(${x} ${y})" class="pit ${mark ? "mark" : ""} ${choose ? "live" : ""}" ...${choose ? chosen(row, column, count) : {}}>
          <rect x="-48" y="-48" width="96" height="96" rx=${house ? 14 : 48} fill="url(#pit)" />
          ${counts && heap(count || 0, row, column).map(([dx, dy, turn]) => html`<ellipse class="seed" cx=${dx} cy=${dy} rx="9.4" ry="8.2" transform="rotate(${turn} ${dx} ${dy})" />`)}
        </g>`;
      }))}
      <${Path} path=${path} split=${split} />
      ${counts?.map((line, row) => line.map((count, column) => { const [x, y] = middle(row, column, split); return count === null ? html`<text x=${x} y=${y + 14}>?</text>` : count > 0 && html`<g transform="translate(${x + 33} ${y + 34})"><circle r="18" class="count" /><text y="8" class="number">${count}</text></g>`; }))}
    </svg>
    <${Owner} name=${labels.south} hand=${view.in_hand?.south} taken=${view.captured?.south} turn=${south} />
    ${!counts && html`<p class="note small">${t("page-board-hidden")}</p>`}
  </div>`;
};

const Owner = ({ name, hand, taken, turn }) => html`<div class="owner ${turn ? "turn" : ""}"><b>${name}</b>
  ${turn && html`<span class="badge">${t("page-table-turn")}</span>`}
  ${hand !== undefined && html`<span class="hand">${t("page-board-in_hand", { number: hand })}</span>`}
  ${taken !== undefined && html`<span class="hand">${t("page-board-taken", { number: taken })}</span>`}</div>`;
