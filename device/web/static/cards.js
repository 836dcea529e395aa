// Card faces in a style of our own, drawn from nothing, and the table they lie on: who sits where, the trick, the score.
// One module: a phone fetches six files at a time, and the table waits for no seventh.
import { Icon, Side, html, playerName, rankSign, said, sideName, t, useRef } from "/w/ui.js";

export const SUITS = ["S", "H", "D", "C"], RANKS = ["A", "K", "Q", "J", "10", "9", "8", "7", "6", "5", "4", "3", "2"];
export const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
export const rankOf = (card) => (card === "JOKER" ? "" : card.slice(0, -1));
export const suitOf = (card) => (card === "JOKER" ? "" : card.slice(-1));
const red = (suit) => suit === "H" || suit === "D";

/** Suits in a square from -50 to 50. */
export const SUIT_PATHS = {
  H: "M0 47C-9 33-47 10-47-18C-47-36-35-46-23-46C-12-46-3-39 0-28C3-39 12-46 23-46C35-46 47-36 47-18C47 10 9 33 0 47Z",
  D: "M0-50C9-31 23-14 38 0C23 14 9 31 0 50C-9 31-23 14-38 0C-23-14-9-31 0-50Z",
  S: "M0-49C13-30 46-9 46 14C46 29 35 36 24 36C15 36 8 32 4 24C6 36 11 43 20 49H-20C-11 43-6 36-4 24C-8 32-15 36-24 36C-35 36-46 29-46 14C-46-9-13-30 0-49Z",
  C: "M0-49A22 22 0 0 1 15-11A23 23 0 1 1 6 23C8 35 12 43 21 49H-21C-12 43-8 35-6 23A23 23 0 1 1-15-11A22 22 0 0 1 0-49Z",
};
/** A suit by itself, as large as the words around it. */
export const Suit = ({ suit, label }) => html`<svg class="suit ${red(suit) ? "red" : "black"}" viewBox="-52 -52 104 104" role=${label ? "img" : null} aria-label=${label} aria-hidden=${label ? null : "true"}><path d=${SUIT_PATHS[suit]} /></svg>`;

const pip = (suit, x, y, size, turned) => html`<path d=${SUIT_PATHS[suit]} transform="translate(${x} ${y}) scale(${(turned ? -1 : 1) * size / 100} ${(turned ? -1 : 1) * size / 100})" />`;
const L = 77, M = 125, R = 173;
const TOP = 76, HIGH = 142, MIDDLE = 175;
const PIPS = {
  2: [[M, TOP]], 3: [[M, TOP]], 4: [[L, TOP], [R, TOP]], 5: [[L, TOP], [R, TOP]], 6: [[L, TOP], [R, TOP]], 7: [[L, TOP], [R, TOP]],
  8: [[L, TOP], [R, TOP], [M, 125]], 9: [[L, TOP], [R, TOP], [L, HIGH], [R, HIGH]], 10: [[L, TOP], [R, TOP], [L, HIGH], [R, HIGH], [M, 109]],
};
const CENTRE = { 3: [[M, MIDDLE]], 5: [[M, MIDDLE]], 6: [[L, MIDDLE], [R, MIDDLE]], 7: [[L, MIDDLE], [R, MIDDLE], [M, 125]], 8: [[L, MIDDLE], [R, MIDDLE]], 9: [[M, MIDDLE]] };
const pips = (suit, rank) => html`<g>
  ${PIPS[rank].map(([x, y]) => [pip(suit, x, y, 46), pip(suit, x, 350 - y, 46, true)])}
  ${(CENTRE[rank] || []).map(([x, y]) => pip(suit, x, y, 46))}
</g>`;

/** Half a figure, its waist at the middle of the card. Robes differ by colour, heads by rank. */
const INK = "#1b1d2b", GOLD = "#e9b94a", SKIN = "#f8dfc5";
const HEADS = {
  K: (robe) => html`<path d="M97 96C94 128 108 140 125 141C142 140 156 128 153 96Z" fill="#7a4a26" />
    <path d="M104 78H146V98C146 116 137 126 125 126C113 126 104 116 104 98Z" fill=${SKIN} />
    <path d="M106 108C113 103 119 106 125 106C131 106 137 103 144 108C144 124 136 134 125 136C114 134 106 124 106 108Z" fill="#7a4a26" />
    <path d="M117 112Q125 117 133 112" fill="none" stroke="#b4483e" stroke-width="3" />
    <path d="M97 80L92 46L109 62L125 38L141 62L158 46L153 80Z" fill=${GOLD} /><path d="M97 80H153V72H97Z" fill=${robe} />
    <circle cx="92" cy="45" r="4" fill=${GOLD} /><circle cx="125" cy="37" r="4.5" fill=${GOLD} /><circle cx="158" cy="45" r="4" fill=${GOLD} />`,
  Q: (robe) => html`<path d="M98 76C88 100 88 128 96 146H154C162 128 162 100 152 76C146 58 104 58 98 76Z" fill="#a8612b" />
    <path d="M106 80C106 66 144 66 144 80V100C144 117 135 127 125 127C115 127 106 117 106 100Z" fill=${SKIN} />
    <path d="M118 114Q125 120 132 114Q125 111 118 114Z" fill="#c0392f" stroke-width="1" /><circle cx="112" cy="107" r="4" fill="#f1b7a4" stroke="none" /><circle cx="138" cy="107" r="4" fill="#f1b7a4" stroke="none" />
    <path d="M101 72Q125 52 149 72L145 50L135 60L125 42L115 60L105 50Z" fill=${GOLD} /><circle cx="125" cy="41" r="4.5" fill=${robe} /><circle cx="104" cy="49" r="3.5" fill=${robe} /><circle cx="146" cy="49" r="3.5" fill=${robe} />`,
  J: (robe) => html`<path d="M98 74C94 92 96 114 102 124H148C154 114 156 92 152 74Z" fill="#c98f3d" />
    <path d="M106 78H144V100C144 116 135 125 125 125C115 125 106 116 106 100Z" fill=${SKIN} />
    <path d="M117 113Q125 118 133 113" fill="none" stroke="#b4483e" stroke-width="2.6" />
    <path d="M96 80C92 54 112 46 128 47C148 48 158 62 154 80C140 73 112 73 96 80Z" fill=${robe} /><path d="M96 80C112 72 140 72 154 80L155 73C140 64 110 64 95 73Z" fill=${GOLD} />
    <path d="M146 58C160 40 172 40 178 30C180 48 168 64 150 66Z" fill="#f4f0e4" />`,
};
const half = (rank, suit, turned) => {
  const robe = red(suit) ? "#c8202b" : "#27407c", second = red(suit) ? "#27407c" : "#c8202b";
  return html`<g transform=${turned ? "rotate(180 125 175)" : null} stroke=${INK} stroke-width="2.2" stroke-linejoin="round">
    <path d="M53 175L60 152C70 134 92 128 125 128C158 128 180 134 190 152L197 175Z" fill=${robe} />
    <path d="M53 175L60 152C64 144 70 139 78 136L88 175Z" fill=${second} /><path d="M197 175L190 152C186 144 180 139 172 136L162 175Z" fill=${second} />
    <path d="M62 168L80 160M66 156L79 150M188 168L170 160M184 156L171 150" stroke=${GOLD} stroke-width="3.4" />
    <path d="M104 130L112 175H138L146 130Z" fill=${GOLD} /><path d="M112 175L125 150L138 175Z" fill=${second} />
    <path d="M92 132Q125 164 158 132L150 124Q125 142 100 124Z" fill="#fbf8ef" />
    ${[104, 114, 125, 136, 146].map((x, at) => html`<circle cx=${x} cy=${[137, 143, 146, 143, 137][at]} r="1.9" fill=${INK} stroke="none" />`)}
    ${HEADS[rank](robe)}
    <path d="M111 94Q115 90 119 94M131 94Q135 90 139 94" fill="none" /><circle cx="115" cy="96" r="2.3" fill=${INK} stroke="none" /><circle cx="135" cy="96" r="2.3" fill=${INK} stroke="none" />
    <path d="M125 95L122 105H127" fill="none" stroke-width="1.8" />
    ${rank === "K" && html`<path d="M182 62V166M174 128H190" stroke="#8a94a6" stroke-width="5" /><path d="M182 62V128" stroke="#e8edf5" stroke-width="2.4" />`}
    ${rank === "Q" && html`<path d="M178 158C180 130 178 116 174 106" fill="none" stroke="#2c7a44" stroke-width="4" />${[0, 72, 144, 216, 288].map((turn) => html`<ellipse cx="174" cy="88" rx="6.5" ry="9" fill=${second} transform="rotate(${turn} 174 98)" />`)}<circle cx="174" cy="98" r="5" fill=${GOLD} />`}
    ${rank === "J" && html`<path d="M184 54V170" stroke="#6d4a2b" stroke-width="5" /><path d="M184 50C170 60 168 78 184 84C192 76 192 60 184 50Z" fill="#c5ccd8" />`}
  </g>`;
};
const figure = (suit, rank) => html`<g>
  <rect x="52" y="38" width="146" height="274" rx="4" fill=${red(suit) ? "#fdf3dc" : "#eef3fb"} stroke=${INK} stroke-width="2.4" />
  ${half(rank, suit)}${half(rank, suit, true)}
  <path d="M53 175H197" stroke=${GOLD} stroke-width="5" /><path d="M53 171.5H197M53 178.5H197" stroke=${INK} stroke-width="1.6" />
  <rect x="52" y="38" width="146" height="274" rx="4" fill="none" stroke=${INK} stroke-width="2.4" />
  ${pip(suit, 73, 64, 32)}${pip(suit, 177, 286, 32, true)}
</g>`;
const ace = (suit) => html`<g>${pip(suit, 125, 175, suit === "S" ? 150 : 118)}
  ${suit === "S" && html`<circle cx="125" cy="182" r="21" fill="none" stroke="var(--card)" stroke-width="3" /><path d=${SUIT_PATHS.S} transform="translate(125 182) scale(.24)" fill="var(--card)" />`}</g>`;
const joker = () => html`<g stroke=${INK} stroke-width="2.4" stroke-linejoin="round">
  <path d="M70 150C60 104 84 84 98 110C104 66 146 66 152 110C166 84 190 104 180 150L164 176H86Z" fill="#7a3fa0" />
  <path d="M125 78C146 72 152 96 152 110C166 84 190 104 180 150L164 176H125Z" fill=${GOLD} />
  ${[[66, 152], [184, 152], [125, 74]].map(([x, y]) => html`<circle cx=${x} cy=${y} r="9" fill=${GOLD} />`)}
  <path d="M94 172H156V206C156 236 142 250 125 250C108 250 94 236 94 206Z" fill=${SKIN} />
  <circle cx="111" cy="200" r="4" fill=${INK} stroke="none" /><circle cx="139" cy="200" r="4" fill=${INK} stroke="none" /><path d="M106 224Q125 244 144 224" fill="none" stroke="#b4483e" stroke-width="4" />
  <path d="M84 176L100 190L112 174L125 190L138 174L150 190L166 176Z" fill="#2fae66" /></g>`;
const index = (card) => {
  const suit = suitOf(card), rank = rankOf(card);
  return html`<g><text x="26" y="50" text-anchor="middle" textLength=${rank === "10" ? 38 : null} lengthAdjust="spacingAndGlyphs">${rankSign(rank)}</text>${pip(suit, 26, 76, 31)}</g>`;
};

/** What a card is called. */
export const cardName = (card) => (card === null || card === undefined ? t("page-card-unread") : card === "JOKER" ? t("page-card-joker") : t("page-card-name", { rank: rankWord(rankOf(card)), suit: t(`card-suit_${suitOf(card)}`) }));
const rankWord = (rank) => { const name = [`card-rank_${rank}`, `page-ranks-${rank}`].find(said); return name ? t(name) : rank; };
/** A sentence for a screen reader, which would read a sign as a symbol: cards by their names. */
export const aloud = (text) => text?.replace(/(\d+|[A-Z])([♣♦♥♠])/g, (_, sign, suit) => cardName(RANKS.find((rank) => rankSign(rank) === sign) + SUITS.find((one) => SIGNS[one] === suit)))
  .replace(/[♣♦♥♠]/g, (suit) => t(`card-suit_${SUITS.find((one) => SIGNS[one] === suit)}`)).replace(/★/g, t("page-card-joker"));

const face = (card) => {
  if (card === "JOKER") return html`<g>${joker()}<g fill="#7a3fa0"><text x="26" y="50" text-anchor="middle">★</text><text x="26" y="50" text-anchor="middle" transform="rotate(180 125 175)">★</text></g></g>`;
  const suit = suitOf(card), rank = rankOf(card);
  return html`<g class=${red(suit) ? "red" : "black"}>${index(card)}<g transform="rotate(180 125 175)">${index(card)}</g>
    ${rank === "A" ? ace(suit) : "JQK".includes(rank) ? figure(suit, rank) : pips(suit, rank)}</g>`;
};
/** A small card shows its name large instead of its pips: read from across the room. */
const small = (card) => html`<g class=${red(suitOf(card)) ? "red" : "black"}>${card === "JOKER" ? html`<text class="large" x="125" y="210" text-anchor="middle">★</text>`
  : html`<text class="large" x="125" y="165" text-anchor="middle" textLength=${rankOf(card) === "10" ? 168 : null} lengthAdjust="spacingAndGlyphs">${rankSign(rankOf(card))}</text>${pip(suitOf(card), 125, 255, 130)}`}</g>`;
const unread = html`<g><path d="M22 22H228V328H22Z" fill="none" stroke="currentColor" stroke-width="6" stroke-dasharray="16 12" /><text class="large" x="125" y="235" text-anchor="middle">?</text></g>`;
const back = html`<g><rect x="16" y="16" width="218" height="318" rx="12" fill="#27407c" /><rect x="28" y="28" width="194" height="294" rx="7" fill="none" stroke="#e9b94a" stroke-width="4" />
  <path d="M28 101L222 249M28 249L222 101M28 175L125 28L222 175L125 322Z" stroke="#8ea3d6" stroke-width="5" fill="none" /><circle cx="125" cy="175" r="38" fill="#27407c" stroke="#e9b94a" stroke-width="5" /><path d=${SUIT_PATHS.S} transform="translate(125 175) scale(.42)" fill="#e9b94a" /></g>`;

/** A card. card: its code, null where it could not be read. mini: its name alone. */
export const Card = ({ card, mini, down, unsure, named = true, at = [] }) => html`<svg x=${at[0]} y=${at[1]} width=${at[2]} height=${at[3]} class="card ${card === null ? "unread" : ""} ${mini ? "mini" : ""}" viewBox="0 0 250 350" role=${named ? "img" : null} aria-hidden=${named ? null : "true"} aria-label=${named ? (down ? t("page-card-down") : cardName(card)) : null}>
  <rect class="paper" x="2" y="2" width="246" height="346" rx="20" />
  ${down ? back : card === null || card === undefined ? unread : mini ? small(card) : face(card)}
  ${unsure && html`<g><circle cx="206" cy="44" r="38" fill="#ffb000" stroke="#fff" stroke-width="5" /><text x="206" y="64" text-anchor="middle" fill="#201400">?</text></g>`}
</svg>`;

// -- the table ---------------------------------------------------------------------------------------------------------

const range = (value) => (Array.isArray(value) ? `${value[0]}–${value[1]}` : value);
/** A little askew, as cards are laid; always the same for the same card. */
const tilt = (card, seat) => ((([...(card || "??")].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) + 5 * seat) % 9) - 4) * 1.6;

/** Where a seat is on the table, as parts of its width and height from the middle: the one below is nearest. */
const place = (seat, players, below, clockwise) => {
  const turn = ((((seat - below + players) % players) * (clockwise ? 1 : -1)) / players) * 2 * Math.PI;
  return [-Math.sin(turn), Math.cos(turn)];
};

/** A card's length by its width; how far from the middle of the felt cards reach, how wide they are there at most and at
 *  least, all as parts of it in hundred; and how far from the middle a trick usually lies, in lengths of a card. */
const LONG = 1.4, REACH = 46, WIDEST = 20.6, WIDEST_OF_MANY = 15, NARROWEST = 11, USUAL = 1.1;

/** Cards in the places where they lie on the real table, as large as lets all of the trick be seen.
 *  lying: places in lengths of a card from the middle, seat 0 at the lower edge. turn: of the table on this screen. */
const asTheyLie = (lying, many, turn) => {
  const far = ({ x, y }) => Math.hypot(x, y) + 0.5;
  const fits = REACH / Math.max(USUAL + 0.5, ...lying.filter((one) => one.seat !== null).map(far));
  const wide = Math.max(NARROWEST, Math.min(many ? WIDEST_OF_MANY : WIDEST, fits / LONG));
  const place = (card, seat) => {
    const one = lying.find((at) => at.card === card && at.seat === seat);
    if (!one) return null;
    const long = Math.min(wide * LONG, fits, (REACH - (wide * LONG) / 2) / Math.hypot(one.x, one.y)), [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    const turned = one.turned_deg === null ? null : one.turned_deg + (turn * 180) / Math.PI;
    return { x: (one.x * cos - one.y * sin) * long, y: (one.x * sin + one.y * cos) * long, turned: turned && ((turned % 180) + 270) % 180 - 90 };
  };
  return { wide, place };
};

export const CardTable = ({ view, seats, below = 0, clockwise = true, sitDown, bright = [], untold = [], lying = [] }) => {
  const { players, sides, trick = [], beside = [], turn, dealer, trump } = view;
  const won = view.phase === "trick_complete" || view.phase === "deal_over" ? view.last_winner : undefined;
  const lead = trick.length ? trick[0].seat : turn;
  const at = (seat) => place(seat, players, below, clockwise);
  const put = (x, y, more = "") => ({ left: `${50 + x}%`, top: `${50 + y}%`, transform: `translate(-50%, -50%) ${more}` });
  const there = useRef(new Set([...trick, ...beside, ...untold].map((one) => one.card))).current; // Those are not laid while somebody looks.
  const lie = asTheyLie(lying, players > 4, (below / players) * 2 * Math.PI * (clockwise ? -1 : 1));
  /** Where a card is drawn: as it lies, or before its player where that is not known. */
  const spot = (one, seat, extra) => {
    const seen = lie.place(one.card, seat), [x, y] = at(one.seat ?? 0), wide = 21, high = players > 4 ? 26 : 21;
    const askew = `rotate(${seen?.turned ?? tilt(one.card, one.seat ?? 0)}deg)`;
    if (!seen) return put(x * wide + (extra ? 9 : 0), y * high + (extra ? 5 : 0), askew);
    return { ...put(0, 0, askew), left: `calc(50% + ${seen.x}cqmin)`, top: `calc(50% + ${seen.y}cqmin)`, width: `${lie.wide}cqmin` };
  };
  const laid = (one, extra, pale) => {
    return html`<div class="laid ${there.has(one.card) ? "there" : ""} ${extra ? "extra" : ""} ${pale ? "untold" : ""} ${one.seat === won ? "won" : ""} ${bright.includes(one.card) ? "bright" : ""}" key=${`${one.number} ${one.card}`}
      style=${spot(one, extra ? null : one.seat, extra)}>
      <${Card} card=${one.card} unsure=${one.sure === false} />
    </div>`;
  };
  return html`<div class="felt n${players}">
    ${trump && html`<div class="print" aria-hidden="true"><${Suit} suit=${trump} /></div>`}
    ${Array.from({ length: players }, (_, seat) => {
      const [x, y] = at(seat), mine = seat === turn;
      const aside = Math.abs(x) > 0.6, high = aside ? (Math.abs(y) < 0.1 ? -23 : y * 72) : y * 44; // Level with the middle, a name would hide a card.
      return html`<button class="seat ${mine ? "turn" : ""} ${seat === won ? "took" : ""}" key=${seat} style=${{ left: `${50 + x * 49}%`, top: `${50 + high}%`, transform: `translate(${-50 - 50 * x}%, -50%)`, maxWidth: aside ? "36%" : "60%" }} onClick=${() => sitDown?.(seat)}
        title=${t("page-table-sit")}>
        <${Side} side=${sides[seat]} /><span class="name">${playerName(seats, seat)}</span>
        ${seat === dealer && html`<span class="chip" aria-hidden="true" title=${t("page-table-dealer")}>${t("page-table-dealer_sign")}</span>`}
        ${seat === lead && trick.length > 0 && html`<span class="chip lead" aria-hidden="true" title=${t("page-table-leads")}>1</span>`}
        <span class="hidden-words">${["", sideName(sides[seat]), mine && t("page-table-turn"), seat === dealer && t("page-table-dealer"), seat === lead && trick.length > 0 && t("page-table-leads")].filter((one) => one !== false).join(", ")}</span>
      </button>`;
    })}
    ${view.turn_up && lie.place(view.turn_up, null) && html`<div class="laid up" style=${spot({ card: view.turn_up }, null)}><${Card} card=${view.turn_up} /></div>`}
    ${beside.map((one) => laid(one, true))}
    ${trick.map((one) => laid(one, false))}
    ${untold.map((one) => laid(one, false, true))}
    ${!trick.length && !untold.length && view.phase !== "play" && html`<p class="empty">${t(`page-phases-${view.phase}`)}</p>`}
  </div>`;
};

/** What is turned up, what is left of the stock, the trick before. */
export const Strip = ({ view, lastTrick, seats }) => html`<div class="strip">
  <div class="trump" aria-label=${view.trump ? t("page-table-trump_is", { suit: t(`card-suit_${view.trump}`) }) : t("page-table-no_trump")} role="img">
    ${view.trump ? html`<${Suit} suit=${view.trump} />` : html`<span class="none">–</span>`}<span aria-hidden="true">${t("page-table-trump")}</span>
  </div>
  ${view.turn_up && html`<figure><${Card} card=${view.turn_up} mini /><figcaption>${t("page-table-turn_up")}</figcaption></figure>`}
  ${view.stock > 0 && html`<figure><span class="pile"><${Card} down /><b>${view.stock}</b></span><figcaption>${t("page-table-stock")}</figcaption></figure>`}
  ${view.trick_number > 0 && html`<figure><b class="number">${view.trick_number}</b><figcaption>${t("page-table-trick")}</figcaption></figure>`}
  ${lastTrick && html`<figure class="last"><span class="fan">${lastTrick.cards.map((card) => html`<${Card} card=${card} mini />`)}</span>
    <figcaption>${lastTrick.seat === null ? t("page-table-last_trick") : t("page-table-last_to", { player: playerName(seats, lastTrick.seat) })}</figcaption></figure>`}
</div>`;

/** The score by side. */
export const Score = ({ view, seats }) => {
  const sides = Math.max(...view.sides) + 1;
  const of = (side) => view.sides.flatMap((one, seat) => (one === side ? [playerName(seats, seat)] : []));
  const pips = view.target <= 7;
  const wonBy = said(`${view.game}-won_by`) ? t(`${view.game}-won_by`) : t("page-table-games"), points = t("page-table-points");
  return html`<table class="score">
    <caption class="hidden-words">${t("page-table-score")}</caption>
    <thead><tr><th scope="col"><span class="hidden-words">${t("page-table-side")}</span></th>
      ${view.points && html`<th scope="col">${wonBy === points ? t("page-table-this_deal") : points}</th>`}${view.tricks && html`<th scope="col">${t("page-table-tricks")}</th>`}
      <th scope="col">${wonBy}</th></tr></thead>
    <tbody>${Array.from({ length: sides }, (_, side) => html`<tr key=${side} class=${view.winner === side ? "winner" : ""}>
      <th scope="row"><${Side} side=${side} /><span>${of(side).map((name, at) => html`${at ? " · " : ""}<span class="name">${name}</span>`)}</span>
        ${view.markers?.[side]?.length > 0 && html`<span class="markers" role="img" aria-label=${`${t("page-table-markers")}: ${view.markers[side].join(", ")}`}>${view.markers[side].map((one) => html`<i>${one === "JOKER" ? "★" : rankSign(one)}</i>`)}</span>`}</th>
      ${view.points && html`<td>${range(view.points[side])}</td>`}${view.tricks && html`<td>${range(view.tricks[side])}</td>`}
      <td class="games"><b>${view.games[side]}</b>${pips ? html`<span class="pips" role="img" aria-label=${t("page-table-of", { target: view.target })}>${Array.from({ length: view.target }, (_, at) => html`<i class=${at < view.games[side] ? "on" : ""}></i>`)}</span>` : html`<small>/${view.target}</small>`}</td>
    </tr>`)}</tbody>
  </table>
  ${view.tie_bonus > 0 && html`<p class="small soft">${t("page-table-tie_bonus", { number: view.tie_bonus })}</p>`}
  ${view.winner !== undefined && html`<p class="won-line"><${Icon} name="check" /> ${t("page-table-won", { side: of(view.winner).join(" · ") })}</p>`}`;
};
