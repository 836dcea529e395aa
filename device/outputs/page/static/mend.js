// What was understood, as tricks and turns: corrected card by card, taken back, brought back.
import { Card, RANKS, SUITS, cardName } from "/w/cards.js";
import { Board } from "/w/board.js";
import { boardLabels } from "/follow.js";
import { Choices, Icon, Sheet, Side, cardSign, fine, html, noticeText, playerName, said, t, useState } from "/w/ui.js";

/** Rows of the log by deals, the newest first, each with its blocks: a trick is its cards; what lies between stands by itself. */
const byDeal = (rows) => {
  const deals = [{ number: 0, blocks: [] }];
  let cards = null;
  for (const row of rows) {
    if (row.event === "deal") deals.push({ number: deals.length, blocks: [] });
    const { blocks } = deals[deals.length - 1];
    if (row.event === "play") {
      if (!cards) blocks.push((cards = { kind: "trick", rows: [] }));
      cards.rows.push(row);
      if (row.trick !== undefined) { Object.assign(cards, { trick: row.trick, won: row.won }); cards = null; }
    } else if (row.event !== "taken" || row.said) { // A trick says by itself who gathered it.
      if (row.event === "deal" || row.event === "void_deal") cards = null;
      blocks.push({ kind: row.event, rows: [row] });
    }
  }
  for (const deal of deals) deal.blocks.reverse();
  return deals.filter((deal) => deal.blocks.length).reverse();
};
const scored = (deal) => deal.blocks.flatMap((block) => block.rows).flatMap((row) => row.said || []).find(([, , notice]) => notice.notice === "deal_scored");
const eventName = (row) => (said(`page-mend-events-${row.event}`) ? t(`page-mend-events-${row.event}`) : row.event);
const Said = ({ row, state }) => (row.said || []).filter(([level]) => level !== "info" || row.event !== "play").map(([level, text, notice]) => html`<p class=${level === "alert" ? "alert-text small" : "small soft"}>${fine(noticeText(state, notice, text))}</p>`);

const Trick = ({ block, state, paired, open }) => html`<section class="panel trick">
  <div class="row spread"><h2>${block.trick ? t("page-mend-trick", { number: block.trick }) : t("page-mend-trick_now")}</h2>
    ${block.won !== undefined && block.won !== null && html`<span class="badge">${state.view.sides && html`<${Side} side=${state.view.sides[block.won]} />`}${t("page-mend-to", { player: playerName(state.seats, block.won) })}</span>`}</div>
  <div class="cards" style=${{ "--n": Math.max(4, state.view.players || 4) }}>${block.rows.map((row) => html`<button key=${row.number} class=${row.alert ? "alert" : ""} disabled=${!paired} onClick=${() => open(row)} data-test="log-card">
    <${Card} card=${row.card} /><span class="who">${state.view.sides && html`<${Side} side=${state.view.sides[row.seat]} />`}<span>${playerName(state.seats, row.seat)}</span></span>
    ${row.corrected && html`<span class="badge was">${row.was ? t("page-mend-was", { card: cardSign(row.was) }) : t("page-mend-corrected")}</span>`}</button>`)}</div>
  ${block.rows.map((row) => html`<${Said} row=${row} state=${state} />`)}
</section>`;

const Line = ({ row, paired, back, open, state }) => html`<section class="panel stack">
  <div class="line"><h2>${eventName(row)}${row.turn_up ? ` · ${fine(t("page-mend-turn_up", { card: cardName(row.turn_up) }))}` : row.seat !== undefined && state.view.sides ? ` · ${playerName(state.seats, row.seat)}` : ""}</h2>
    ${paired && html`<span class="row">${(row.event === "board" || row.turn_up) && html`<button class="button" onClick=${() => open(row)}>${t(row.turn_up ? "page-mend-card" : "page-mend-board")}</button>`}<button class="button" onClick=${back}>${t("page-mend-back_to")}</button></span>`}</div>
  <${Said} row=${row} state=${state} />
</section>`;

/** One card: which it was, whose it was, or back to before it; or the one turned up. */
const OneCard = ({ row, state, ask, close, pack }) => {
  const laid = !row.turn_up, was = row.turn_up || row.card;
  const fix = async (changes) => { if (await ask("correct", { number: row.number, changes })) close(); };
  const likely = row.candidates || [];
  const cards = [...new Set([...likely, ...SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit)).concat("JOKER").filter((card) => !pack || pack.includes(card))])];
  return html`<${Sheet} label=${t("page-mend-which")} close=${close}>
    <p class="soft">${laid ? t("page-mend-read_as", { card: cardName(was), player: playerName(state.seats, row.seat) }) : t("page-mend-turn_up", { card: cardName(was) })}</p>
    <div class="picker">${cards.map((card) => html`<button key=${card} aria-pressed=${card === was ? "true" : "false"} onClick=${() => fix(laid ? { card, confidence: 1 } : { turn_up: card })} data-card=${card}><${Card} card=${card} mini /></button>`)}</div>
    ${laid && state.view.players && html`<h3>${t("page-mend-who")}</h3><${Choices} label=${t("page-mend-who")} value=${row.seat} values=${Array.from({ length: state.view.players }, (_, seat) => [seat, playerName(state.seats, seat)])} choose=${(seat) => fix({ seat })} />`}
    <button class="button danger wide" onClick=${async () => { if (await ask("undo", { since: row.number })) close(); }}><${Icon} name="undo" />${t("page-mend-back_to")}</button>
  <//>`;
};

/** A board whose count was wrong: a pit is tapped, then counted again. */
const OneBoard = ({ row, state, ask, close }) => {
  const [pits, setPits] = useState(row.pits), [at, setAt] = useState(null);
  const more = (number) => setPits(pits.map((line, r) => line.map((count, c) => (r === at[0] && c === at[1] ? Math.max(0, (count || 0) + number) : count))));
  return html`<${Sheet} label=${t("page-mend-board")} close=${close}>
    <p class="soft">${t("page-mend-pits")}</p>
    <${Board} view=${{ game: state.view.game }} pits=${pits} choose=${(r, c) => setAt([r, c])} changed=${at ? [at] : []} labels=${boardLabels(state.seats)} />
    <div class="row spread"><button class="button" disabled=${!at} onClick=${() => more(-1)} aria-label=${t("page-mend-less")}>−</button>
      <b role="status">${at ? t("page-mend-pit", { row: at[0] + 1, column: at[1] + 1, count: pits[at[0]][at[1]] ?? "?" }) : ""}</b>
      <button class="button" disabled=${!at} onClick=${() => more(1)} aria-label=${t("page-mend-more")}>+</button></div>
    <button class="button main wide" onClick=${async () => { if (await ask("correct", { number: row.number, changes: { pits } })) close(); }}>${t("page-save")}</button>
  <//>`;
};

export const View = ({ state, ask, paired, wantPair, more }) => {
  const [open, setOpen] = useState(null), [opened, setOpened] = useState({});
  const deals = byDeal(more.log || []), newest = deals[0]?.number;
  const isOpen = (deal) => opened[deal.number] ?? (deal.number === newest || deal.number === 0);
  const jump = (number) => { setOpened({ ...opened, [number]: true }); setTimeout(() => { const at = document.getElementById(`deal-${number}`); at?.scrollIntoView({ block: "start" }); at?.querySelector("summary").focus({ preventScroll: true }); }); };
  const block = (one) => (one.kind === "trick"
    ? html`<${Trick} key=${`t${one.rows[0].number}`} block=${one} state=${state} paired=${paired} open=${setOpen} />`
    : html`<${Line} key=${`e${one.rows[0].number}`} row=${one.rows[0]} state=${state} paired=${paired} open=${setOpen} back=${() => ask("undo", { since: one.rows[0].number })} />`);
  const Sheet1 = open && (open.event === "board" ? OneBoard : OneCard);
  return html`<div class="stack columns"><div class="whole stack">
    <h2>${t("page-mend-title")}</h2>
    ${!paired && html`<button class="button" onClick=${wantPair}><${Icon} name="lock" />${t("page-ask-pair")}</button>`}
    ${!deals.length && html`<p class="soft">${t("page-mend-empty")}</p>`}
    ${deals.length > 1 && html`<nav class="jump" aria-label=${t("page-mend-deals")}>${deals.filter((deal) => deal.number).map((deal) => html`<button class="button" key=${deal.number} onClick=${() => jump(deal.number)} aria-label=${t("page-mend-deal_number", { number: deal.number })}>${deal.number}</button>`)}</nav>`}
    <div class="log">${deals.map((deal) => (deal.number === 0 ? deal.blocks.map(block) : html`<details class="deal" id=${`deal-${deal.number}`} key=${`d${deal.number}`} open=${isOpen(deal)} onToggle=${(event) => setOpened((now) => ({ ...now, [deal.number]: event.target.open }))}>
      <summary><b>${t("page-mend-deal_number", { number: deal.number })}</b>${scored(deal) && html` <span class="small soft">${fine(noticeText(state, scored(deal)[2], scored(deal)[1]))}</span>`}</summary>
      ${isOpen(deal) && html`<div class="log">${deal.blocks.map(block)}</div>`}</details>`))}</div>
    ${paired && html`<div class="bar"><button class="button" disabled=${!state.undo} onClick=${() => ask("undo", { events: state.events })} data-test="undo"><${Icon} name="undo" />${t("page-mend-undo")}</button>
      <button class="button" disabled=${!state.redo} onClick=${() => ask("redo", { events: state.events })} data-test="redo"><${Icon} name="redo" />${t("page-mend-redo")}</button></div>`}
    ${open && html`<${Sheet1} row=${open} state=${state} ask=${ask} close=${() => setOpen(null)} pack=${state.pack} />`}
  </div></div>`;
};
