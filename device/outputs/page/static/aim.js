// The camera's picture with what is read drawn over it; where people sit, where they play and where the board lies, dragged
// into place.
import { SIGNS, rankOf, suitOf } from "/w/cards.js";
import { Choices, Icon, html, playerName, rankSign, t, useEffect, useRef, useState } from "/w/ui.js";

const EDGES = ["bottom", "left", "top", "right"];
const sign = (card) => (card === "JOKER" ? "★" : rankSign(rankOf(card)) + SIGNS[suitOf(card)]);
const GOOD_INDEX_PX = 22;
const UNCLEAR = ["two_boards", "board_unsure"]; // Situations that say more than that no board is found.

/** The newest picture as an address that an image can show; the one before is let go of. */
const useAddress = (blob) => {
  const [address, setAddress] = useState(null);
  useEffect(() => {
    if (!blob) return setAddress(null);
    const made = URL.createObjectURL(blob);
    setAddress(made);
    return () => setTimeout(() => URL.revokeObjectURL(made), 1000);
  }, [blob]);
  return address;
};

/** Table units (half the shorter side is 1, from the middle) to parts of the picture, and back. */
const scale = (size) => { const half = Math.min(size[0], size[1]) / 2; return [half / size[0], half / size[1]]; };

/** Has something follow the pointer. at: what the picture fills. follow: told its place, in parts of the picture. */
const dragged = (at, follow, end) => (event) => {
  event.preventDefault();
  event.currentTarget.setPointerCapture?.(event.pointerId);
  const moved = ({ clientX, clientY }) => { const box = at.current.getBoundingClientRect(); follow((clientX - box.left) / box.width, (clientY - box.top) / box.height); };
  const up = () => { removeEventListener("pointermove", moved); removeEventListener("pointerup", up); end(); };
  addEventListener("pointermove", moved);
  addEventListener("pointerup", up);
};
/** Which way an arrow key goes. */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const Handles = ({ aim, house, change }) => {
  const at = useRef(), [drag, setDrag] = useState(null);
  const size = aim.size || [4, 3], [sx, sy] = scale(size), values = { ...house.aim, ...drag };
  const [mx, my] = values.middle, players = house.players[0];
  const first = EDGES.indexOf(values.seat_zero) * 90, step = (360 / players) * (house.clockwise ? 1 : -1);
  const degrees = values.seats_deg.length === players ? values.seats_deg : Array.from({ length: players }, (_, seat) => (first + step * seat + 360) % 360);
  const spot = (degree) => { const turn = (degree * Math.PI) / 180; return [0.5 - Math.sin(turn) * 0.49, 0.5 + Math.cos(turn) * 0.49]; };
  const move = (what) => {
    let now = null;
    const follow = (x, y) => {
      if (what === "middle") now = { middle: [(x - 0.5) / sx, (y - 0.5) / sy].map((one) => Math.max(-1, Math.min(1, Math.round(one * 100) / 100))) };
      else if (what === "reach") now = { trick_reach: Math.max(0.3, Math.min(1, Math.round(Math.hypot((x - 0.5) / sx - mx, (y - 0.5) / sy - my) * 100) / 100)) };
      else { const list = [...degrees]; list[what] = Math.round(((Math.atan2(0.5 - x, y - 0.5) * 180) / Math.PI + 360) % 360); now = { seats_deg: list }; }
      setDrag(now);
    };
    return dragged(at, follow, async () => { if (now) await change(now); setDrag(null); });
  };
  /** The same with arrow keys. */
  const keys = (what) => (event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    if (what === "middle") change({ middle: [mx + step[0] * 0.03, my + step[1] * 0.03].map((one) => Math.max(-1, Math.min(1, Math.round(one * 100) / 100))) });
    else if (what === "reach") change({ trick_reach: Math.max(0.3, Math.min(1, values.trick_reach + (step[0] - step[1]) * 0.03)) });
    else { const list = [...degrees]; list[what] = (list[what] + (step[0] + step[1]) * 5 + 360) % 360; change({ seats_deg: list }); }
  };
  const handle = (what, x, y, text, label) => html`<button class="handle ${typeof what === "string" ? what : "seat-handle"}" style=${{ left: `${x * 100}%`, top: `${y * 100}%`, ...inside(what, x, y) }} aria-label=${label} onPointerDown=${move(what)} onKeyDown=${keys(what)}>${text}</button>`;
  /** A name is not cut off at the picture's edge. */
  const inside = (what, x, y) => typeof what === "number" && { transform: `translate(${-100 * x}%, ${-100 * y}%)` };
  const cx = 0.5 + mx * sx, cy = 0.5 + my * sy;
  return html`<div class="handles" ref=${at}>
    <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true"><ellipse class="zone" cx=${cx * 1000} cy=${cy * 1000} rx=${values.trick_reach * sx * 1000} ry=${values.trick_reach * sy * 1000} /></svg>
    ${handle("middle", cx, cy, "", t("page-aim-middle"))}
    ${handle("reach", Math.min(0.97, cx + values.trick_reach * sx), cy, "↔", t("page-aim-reach"))}
    ${degrees.map((degree, seat) => { const [x, y] = spot(degree); return handle(seat, x, y, playerName(house.seats, seat), t("page-aim-seat", { player: playerName(house.seats, seat) })); })}
  </div>`;
};

/** Where corners are shown before anything is known of a board. */
const SOMEWHERE = [[0.2, 0.3], [0.8, 0.3], [0.8, 0.7], [0.2, 0.7]];
const NUDGE = 0.01;
/** Four corners in whatever order, as the device takes them: clockwise, a long side first. */
const inOrder = (corners, [wide, high]) => {
  const [mx, my] = [0, 1].map((axis) => corners.reduce((sum, one) => sum + one[axis], 0) / 4);
  const round = [...corners].sort((a, b) => Math.atan2(a[1] - my, a[0] - mx) - Math.atan2(b[1] - my, b[0] - mx));
  const far = (a, b) => Math.hypot((a[0] - b[0]) * wide, (a[1] - b[1]) * high);
  return far(round[0], round[1]) + far(round[2], round[3]) < far(round[1], round[2]) + far(round[3], round[0]) ? [...round.slice(1), round[0]] : round;
};
/** A board's four corner pits, dragged to where they are; the other pits are shown between them. */
const Corners = ({ aim, house, change }) => {
  const at = useRef(), [drag, setDrag] = useState(null), size = aim.size || [4, 3], [rows, columns] = house.grid;
  const set = house.aim.board_corners, shown = set.length ? [0, 1, 2, 3].map((one) => set.slice(2 * one, 2 * one + 2)) : null;
  const corners = drag || shown || (aim.board?.length === 4 ? aim.board : SOMEWHERE);
  const moved = (which, x, y) => corners.map((one, at) => (at === which ? [x, y].map((part) => Math.max(0, Math.min(1, Math.round(part * 1000) / 1000))) : one));
  const keep = (now) => change({ board_corners: inOrder(now, size).flat() });
  const move = (which) => {
    let now = null;
    return dragged(at, (x, y) => setDrag((now = moved(which, x, y))), async () => { if (now) await keep(now); setDrag(null); });
  };
  const keys = (which) => (event) => {
    const step = ARROWS[event.key];
    if (!step) return;
    event.preventDefault();
    keep(moved(which, corners[which][0] + step[0] * NUDGE, corners[which][1] + step[1] * NUDGE));
  };
  const pit = (u, v) => [0, 1].map((axis) => (corners[0][axis] * (1 - u) + corners[1][axis] * u) * (1 - v) + (corners[3][axis] * (1 - u) + corners[2][axis] * u) * v);
  return html`<div class="handles" ref=${at}>
    ${(drag || shown || !aim.board?.length) && html`<svg viewBox="0 0 1000 1000" preserveAspectRatio="none" aria-hidden="true">
      <polygon class="zone" points=${corners.map(([x, y]) => `${x * 1000},${y * 1000}`).join(" ")} />
      ${Array.from({ length: rows * columns }, (_, one) => { const [x, y] = pit((one % columns) / (columns - 1), Math.floor(one / columns) / (rows - 1)); return html`<ellipse class="place" cx=${x * 1000} cy=${y * 1000} rx="8" ry=${(8 * size[0]) / size[1]} />`; })}</svg>`}
    ${corners.map(([x, y], which) => html`<button class="handle corner" key=${which} style=${{ left: `${x * 100}%`, top: `${y * 100}%` }} aria-label=${t("page-aim-corner", { number: which + 1 })} onPointerDown=${move(which)} onKeyDown=${keys(which)}></button>`)}
  </div>`;
};

/** The picture and everything drawn over it. house: with seats and zone, or the board's corners, to be dragged. */
export const Picture = ({ more, house, change }) => {
  const address = useAddress(more.picture), aim = more.aim || {}, size = aim.size || [4, 3];
  const points = (outline) => outline.map(([x, y]) => `${x * 1000},${y * 1000 * size[1] / size[0]}`).join(" ");
  const high = 1000 * size[1] / size[0];
  return html`<div class="picture" style=${{ aspectRatio: `${size[0]} / ${size[1]}` }} data-test="picture">
    ${address ? html`<img src=${address} alt=${t("page-aim-alt")} />` : html`<p role="status">${t("page-aim-waits")}</p>`}
    <svg class="over" viewBox="0 0 1000 ${high}" aria-hidden="true">
      ${(aim.arms || []).map((arm) => html`<polyline class="arm" points=${points(arm)} />`)}
      ${(aim.cards || []).map((one) => html`<g class=${one.card ? "read" : "doubt"}>
        ${one.outline.length > 0 && html`<polygon points=${points(one.outline)} />`}
        <text x=${one.at[0] * 1000} y=${one.at[1] * high - 14}>${one.card ? `${sign(one.card)} ${Math.round(one.sure * 100)}` : one.candidates.slice(0, 2).map(sign).join("/") || "?"}</text></g>`)}
      ${aim.board?.length > 0 && html`<polygon class="board" points=${points(aim.board)} />`}
      ${(aim.pits || []).map(([x, y, r, count, sure]) => html`<g class=${sure > 0.95 ? "read" : "doubt"}><circle cx=${x * 1000} cy=${y * high} r=${r * 1000} /><text x=${x * 1000} y=${y * high + 10}>${count ?? "?"}</text></g>`)}
    </svg>
    ${house && address && html`<${house.grid ? Corners : Handles} aim=${aim} house=${house} change=${change} />`}
  </div>`;
};

/** Light, sharpness and size, judged in words, with what to do. */
export const Verdicts = ({ aim, grid, situation }) => {
  if (!aim?.size) return null;
  const size = aim.index_px === null || aim.index_px === undefined ? "size_unknown" : aim.too_small ? "size_small" : aim.index_px < GOOD_INDEX_PX ? "size_fair" : "size_good";
  const all = [
    [!aim.dark && !aim.glaring, aim.dark ? "dark" : aim.glaring ? "glaring" : "light_good", { light: aim.light }],
    ...(aim.meter ? [[aim.meter.level !== "little", `meter_${aim.meter.level}${aim.meter.lux === null ? "" : "_lux"}`, aim.meter]] : []),
    [!aim.blurred, aim.blurred ? "blurred" : aim.blur_px === null ? "sharp_unknown" : "sharp", { blur: aim.blur_px }],
    ...(grid ? [[aim.pits?.length > 0, aim.pits?.length ? "board_found" : "board_lost", {}]] : [[size !== "size_small", size, { px: Math.round(aim.index_px || 0) }]]),
  ];
  return html`<ul class="findings" data-test="verdicts">${all.map(([well, name, facts]) => html`<li class=${well ? "well" : "wrong"} key=${name}><span aria-hidden="true">${well ? "✓" : "!"}</span><span>${name === "board_lost" && UNCLEAR.includes(situation) ? t(`situation-${situation}`) : t(`page-aim-${name}`, facts)}</span></li>`)}</ul>`;
};

export const View = ({ state, ask, paired, wantPair, more, there }) => {
  const [house, setHouse] = useState(null);
  useEffect(() => { if (paired && there) ask("house").then((found) => found && setHouse(found)); }, [paired, there]);
  const change = async (facts) => { const found = await ask("change", facts); if (found) setHouse(found); };
  if (!paired) return html`<div class="stack panel"><h2>${t("page-tabs-aim")}</h2><p>${t("page-aim-pair")}</p><button class="button main" onClick=${wantPair}><${Icon} name="lock" />${t("page-pair-title")}</button></div>`;
  return html`<div class="aim"><${Picture} more=${more} house=${house} change=${change} />
    <div class="stack"><section class="panel stack"><h2>${t("page-aim-title")}</h2><${Verdicts} aim=${more.aim} grid=${house?.grid} situation=${state.situation} />
      ${state.troubles?.map((one) => html`<p class="note">${one}</p>`)}</section>
    ${house && html`<section class="panel stack"><h2>${t(house.grid ? "page-aim-board" : "page-aim-seats")}</h2><p class="small soft">${t(house.grid ? "page-aim-board_how" : "page-aim-how")}</p>
      <div class="field"><span class="label">${t("page-aim-first")}</span><${Choices} label=${t("page-aim-first")} values=${EDGES.map((edge) => [edge, t(`page-aim-${edge}`)])} value=${house.aim.seat_zero} choose=${(seat_zero) => change({ seat_zero, seats_deg: [] })} /></div>
      ${(!house.grid || house.aim.board_corners.length > 0) && html`<button class="button" onClick=${() => change(house.aim_default)}><${Icon} name="turn" />${t(house.grid ? "page-aim-board_again" : "page-aim-again")}</button>`}</section>`}</div>
  </div>`;
};
