// A card table as it is now: who sits where, whose turn it is, what lies in the trick; and the score beside it.
import { Card, Suit, cardName } from "/w/cards.js";
import { Icon, Side, html, playerName, sideName, t } from "/w/ui.js";

const range = (value) => (Array.isArray(value) ? `${value[0]}–${value[1]}` : value);
/** A little askew, as cards are laid; always the same for the same card. */
const tilt = (card, seat) => ((([...(card || "??")].reduce((sum, sign) => sum + sign.charCodeAt(0), 0) + 5 * seat) % 9) - 4) * 1.6;

/** Where a seat is on the table, as parts of its width and height from the middle: the one below is nearest. */
const place = (seat, players, below, clockwise) => {
  const turn = ((((seat - below + players) % players) * (clockwise ? 1 : -1)) / players) * 2 * Math.PI;
  return [-Math.sin(turn), Math.cos(turn)];
};

export const CardTable = ({ view, seats, below = 0, clockwise = true, sitDown, bright = [], untold = [] }) => {
  const { players, sides, trick = [], beside = [], turn, dealer, trump } = view;
  const won = view.phase === "trick_complete" || view.phase === "deal_over" ? view.last_winner : undefined;
  const lead = trick.length ? trick[0].seat : turn;
  const at = (seat) => place(seat, players, below, clockwise);
  const put = (x, y, more = "") => ({ left: `${50 + x}%`, top: `${50 + y}%`, transform: `translate(-50%, -50%) ${more}` });
  const laid = (one, extra, pale) => {
    const [x, y] = at(one.seat ?? 0), wide = 21, high = players > 4 ? 26 : 21;
    return html`<div class="laid ${extra ? "extra" : ""} ${pale ? "untold" : ""} ${one.seat === won ? "won" : ""} ${bright.includes(one.card) ? "bright" : ""}" key=${`${one.number} ${one.card}`}
      style=${put(x * wide + (extra ? 9 : 0), y * high + (extra ? 5 : 0), `rotate(${tilt(one.card, one.seat ?? 0)}deg)`)}>
      <${Card} card=${one.card} unsure=${one.sure === false} />
    </div>`;
  };
  return html`<div class="felt n${players}">
    ${trump && html`<div class="print" aria-hidden="true"><${Suit} suit=${trump} /></div>`}
    ${Array.from({ length: players }, (_, seat) => {
      const [x, y] = at(seat), mine = seat === turn;
      return html`<button class="seat ${mine ? "turn" : ""} ${seat === won ? "took" : ""}" key=${seat} style=${{ left: `${50 + x * 49}%`, top: `${50 + (Math.abs(x) > 0.6 ? y * 72 : y * 44)}%`, transform: `translate(${-50 - 50 * x}%, -50%)`, maxWidth: Math.abs(x) > 0.6 ? (players > 4 ? "36%" : "29%") : "60%" }} onClick=${() => sitDown?.(seat)}
        title=${t("table.sit")}>
        <${Side} side=${sides[seat]} /><span class="name">${playerName(seats, seat)}</span>
        ${seat === dealer && html`<span class="chip" aria-hidden="true" title=${t("table.dealer")}>${t("table.dealer_sign")}</span>`}
        ${seat === lead && trick.length > 0 && html`<span class="chip lead" aria-hidden="true" title=${t("table.leads")}>1</span>`}
        <span class="hidden-words">${["", sideName(sides[seat]), mine && t("table.turn"), seat === dealer && t("table.dealer"), seat === lead && trick.length > 0 && t("table.leads")].filter((one) => one !== false).join(", ")}</span>
      </button>`;
    })}
    ${beside.map((one) => laid(one, true))}
    ${trick.map((one) => laid(one, false))}
    ${untold.map((one) => laid(one, false, true))}
    ${!trick.length && !untold.length && view.phase !== "play" && html`<p class="empty">${t(`phases.${view.phase}`)}</p>`}
  </div>`;
};

/** What is turned up, what is left of the stock, the trick before. */
export const Strip = ({ view, lastTrick, seats }) => html`<div class="strip">
  <div class="trump" aria-label=${view.trump ? t("table.trump_is", { suit: t(`suits.${view.trump}`) }) : t("table.no_trump")} role="img">
    ${view.trump ? html`<${Suit} suit=${view.trump} />` : html`<span class="none">–</span>`}<span aria-hidden="true">${t("table.trump")}</span>
  </div>
  ${view.turn_up && html`<figure><${Card} card=${view.turn_up} mini /><figcaption>${t("table.turn_up")}</figcaption></figure>`}
  ${view.stock > 0 && html`<figure><span class="pile"><${Card} down /><b>${view.stock}</b></span><figcaption>${t("table.stock")}</figcaption></figure>`}
  ${view.trick_number > 0 && html`<figure><b class="number">${view.trick_number}</b><figcaption>${t("table.trick")}</figcaption></figure>`}
  ${lastTrick && html`<figure class="last"><span class="fan">${lastTrick.cards.map((card) => html`<${Card} card=${card} mini />`)}</span>
    <figcaption>${lastTrick.seat === null ? t("table.last_trick") : t("table.last_to", { player: playerName(seats, lastTrick.seat) })}</figcaption></figure>`}
</div>`;

/** The score by side. */
export const Score = ({ view, seats }) => {
  const sides = Math.max(...view.sides) + 1;
  const of = (side) => view.sides.flatMap((one, seat) => (one === side ? [playerName(seats, seat)] : []));
  const pips = view.target <= 7;
  return html`<table class="score">
    <caption class="hidden-words">${t("table.score")}</caption>
    <thead><tr><th scope="col"><span class="hidden-words">${t("table.side")}</span></th>
      ${view.points && html`<th scope="col">${t("table.points")}</th>`}${view.tricks && html`<th scope="col">${t("table.tricks")}</th>`}
      <th scope="col">${t("table.games")}</th></tr></thead>
    <tbody>${Array.from({ length: sides }, (_, side) => html`<tr key=${side} class=${view.winner === side ? "winner" : ""}>
      <th scope="row"><${Side} side=${side} /><span>${of(side).join(" · ")}</span>
        ${view.markers?.[side]?.length > 0 && html`<span class="markers" role="img" aria-label=${`${t("table.markers")}: ${view.markers[side].join(", ")}`}>${view.markers[side].map((one) => html`<i>${one === "JOKER" ? "★" : one}</i>`)}</span>`}</th>
      ${view.points && html`<td>${range(view.points[side])}</td>`}${view.tricks && html`<td>${range(view.tricks[side])}</td>`}
      <td class="games"><b>${view.games[side]}</b>${pips ? html`<span class="pips" role="img" aria-label=${t("table.of", { target: view.target })}>${Array.from({ length: view.target }, (_, at) => html`<i class=${at < view.games[side] ? "on" : ""}></i>`)}</span>` : html`<small>/${view.target}</small>`}</td>
    </tr>`)}</tbody>
  </table>
  ${view.tie_bonus > 0 && html`<p class="small soft">${t("table.tie_bonus", { number: view.tie_bonus })}</p>`}
  ${view.winner !== undefined && html`<p class="won-line"><${Icon} name="check" /> ${t("table.won", { side: of(view.winner).join(" · ") })}</p>`}`;
};
export { cardName };
