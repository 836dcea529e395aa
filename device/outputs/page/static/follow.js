// The table as it is now: what everybody in the room looks at.
import { Card, CardTable, Score, Strip, aloud, cardName } from "/w/cards.js";
import { Icon, PLAYERS, Side, alertText, answerTexts, fine, html, moveName, playerName, promptText, saidLast, t, troubleTexts, useDialog, useEffect, useModule, useRead, useState, waitingText } from "/w/ui.js";

/** An alert's pictures go on for two seconds after it. */
const MOMENT_OVER_MS = 3000;

export const isBoard = (view) => !view.trick && !view.trump && (view.pits !== undefined || view.in_hand !== undefined || view.captured !== undefined);
const KEPT = "hisabu-below";

/** A seat, which tables of version 0.1 call by its name on a board. */
const seatOf = (turn) => (typeof turn === "string" ? PLAYERS.indexOf(turn) : turn);

/** What each player of a board is called. */
export const boardLabels = (seats) => Object.fromEntries(PLAYERS.map((player, seat) => [player, playerName(seats, seat, true)]));

/** Who plays next, in words. */
export const whoseTurn = (view, seats) => {
  if (view.winner !== undefined) return t("page-table-over");
  if (view.turn === undefined || view.turn === null) return t(`page-phases-${view.phase}`);
  if (view.wanted) return t("page-table-my_turn", { turn: moveName(view.wanted) });
  const seat = seatOf(view.turn);
  return t("page-table-to_play", { player: playerName(seats, seat, isBoard(view)) });
};

const Whose = ({ view, seats }) => html`<p class="whose" data-test="whose">${view.turn !== undefined && view.turn !== null && view.winner === undefined && view.sides && html`<${Side} side=${view.sides[seatOf(view.turn)]} />`}<span>${fine(whoseTurn(view, seats))}</span></p>`;

/** Who sits below on this phone: tapped, and kept here. */
const useBelow = (players) => {
  const [below, setBelow] = useState(() => { try { return Number(localStorage.getItem(KEPT)) || 0; } catch { return 0; } });
  return [below < players ? below : 0, (seat) => { setBelow(seat); try { localStorage.setItem(KEPT, seat); } catch { /* Until the page is loaded again. */ } }];
};

const Drawn = ({ state, below, sitDown }) => {
  const { view, seats } = state, board = isBoard(view), OnBoard = useModule(board ? "/w/board.js" : null)?.Board; // Only fetched where a board is played on.
  return html`<div class="stage">${board ? OnBoard && html`<${OnBoard} view=${view} path=${view.wanted_path ?? view.path} labels=${boardLabels(seats)} />`
    : view.players && view.sides && html`<${CardTable} view=${view} seats=${seats} below=${below} clockwise=${state.clockwise !== false} sitDown=${sitDown} bright=${view.alert?.cards || []} untold=${state.untold ?? []} lying=${state.lying ?? []} />`}</div>`;
};

const LastTurn = ({ view }) => view.last_turn && html`<section class="panel score-at"><h2 class="small soft">${t("page-board-last_turn")}</h2>
  <p>${moveName(view.last_turn.key)}${view.last_turn.captured > 0 && html` · ${t("page-board-captured", { number: view.last_turn.captured })}`}</p></section>`;

/** A game at one moment: whose turn it is, right under it the score, then the table. Live, in a match that is played again, in a hall. */
export const Played = ({ state, below, sitDown }) => {
  const { view, seats } = state, board = isBoard(view);
  return html`<${Whose} view=${view} seats=${seats} />
    ${board ? html`<${LastTurn} view=${view} />` : view.sides && html`<section class="panel score-at"><${Score} view=${view} seats=${seats} /></section>`}
    <${Drawn} state=${state} below=${below} sitDown=${sitDown} />
    ${!board && view.sides && html`<section class="panel strip-at"><${Strip} view=${view} lastTrick=${state.last_trick} seats=${seats} /></section>`}`;
};

/** The open hand of whoever learns: what he may play is lit, and of the others it is said why not. */
const Hand = ({ learner, seats }) => html`<section class="panel" data-test="learner"><h2 class="small soft">${t("page-table-learner", { player: playerName(seats, learner.seat) })}</h2>
  <div class="hand">${learner.hand.map(([card, duty]) => html`<figure class=${learner.lit ? (duty ? "dim" : "lit") : ""} key=${card}><${Card} card=${card} />${duty && html`<figcaption>${t(`notice-must_${duty}`)}</figcaption>`}</figure>`)}</div></section>`;

const Ask = ({ state, ask, paired, wantPair }) => html`<section class="panel ask stack" aria-label=${t("page-ask-title")}>
    <h2>${fine(promptText(state))}</h2>
    ${paired ? html`<div class="answers"><${Answers} state=${state} give=${(facts) => ask("answer", facts)} /></div>` : html`<button class="button" onClick=${wantPair}><${Icon} name="lock" />${t("page-ask-pair")}</button>`}
  </section>`;

/** The answers to a question. */
export const Answers = ({ state, give }) => {
  const { key } = state.prompt, read = useRead(key), [busy, setBusy] = useState(false);
  const choose = async (answer) => { setBusy(true); await give({ key, answer }); setBusy(false); };
  // Not disabled: a button that is takes the keyboard's focus out of the alert.
  return answerTexts(state).map((label, at) => html`<button class="button" aria-disabled=${busy || !read} key=${at} onClick=${() => !busy && read && choose(at)}>${label}</button>`);
};

const address = (packed) => URL.createObjectURL(new Blob([Uint8Array.from(atob(packed), (one) => one.charCodeAt(0))], { type: "image/jpeg" }));

/** What the camera saw before and after an alert, and the cards that it is about. Only paired phones get it. */
export const SeenAt = ({ get: fetchThem, alert, live }) => {
  const [pictures, setPictures] = useState([]);
  useEffect(() => {
    let gone = false;
    const get = () => fetchThem().then((them) => { if (!gone && them) setPictures(them.map((one) => ({ ...one, at: address(one.jpeg) }))); }, () => {});
    get();
    const again = live && setTimeout(get, MOMENT_OVER_MS);
    return () => { gone = true; clearTimeout(again); };
  }, [alert]);
  if (!pictures.length) return null;
  const called = (one) => t(`page-moment-${one.what}`) + (one.card ? ` ${cardName(one.card)}` : "");
  const shown = [...pictures.filter((one) => one.what === "card"), ...pictures.filter((one) => one.what !== "card")];
  return html`<div class="moment" tabindex="0" role="group" aria-label=${t("page-moment-title")} data-test="moment">
    ${shown.map((one, at) => html`<figure key=${at}><img src=${one.at} alt=${called(one)} /><figcaption>${called(one)}</figcaption></figure>`)}</div>`;
};

const useRules = (state, ask) => {
  const [open, setOpen] = useState(null), found = useModule(open && "/rules.js");
  return [(alert) => setOpen({ alert }), open && found && html`<${found.Rules} game=${state.view.game} about=${found.ruleOf(open.alert)} ask=${ask} close=${() => setOpen(null)} />`];
};

/** An alert fills the page until somebody answers it, or hides it on this phone. */
const Alarm = ({ state, ask, paired, wantPair, hide }) => {
  const [showRule, rules] = useRules(state, ask);
  const at = useDialog(), { alert, prompt, view, seats } = state, about = view.alert || {};
  const proof = ({ card, trick, shown, shown_in: tricks, among }) => [[card, trick], ...shown.map((one, at) => [one, tricks?.[at]]), ...among.map((one) => [one])];
  const cards = [...new Map([...(about.cards || []).map((card) => [card]), ...(about.claims || []).flatMap(proof)])];
  const who = about.seat ?? about.claims?.[0]?.seat;
  return html`<dialog class="alarm" ref=${at} role="alertdialog" aria-labelledby="alarm-title" aria-describedby="alarm-said" onCancel=${(event) => { event.preventDefault(); hide(); }}>
    <div class="inner">
      <h2 id="alarm-title" tabindex="-1" autofocus><${Icon} name="warning" />${t(about.level_of_proof !== "provisional" && (prompt?.key?.startsWith("alert") || about.notice) ? "page-alarm-title" : "page-alarm-look")}</h2>
      <p class="rule" aria-hidden="true" data-test="alarm">${fine(alertText(state))}</p><p class="hidden-words" id="alarm-said">${fine(aloud(alertText(state)))}</p>
      ${cards.length > 0 && html`<div class="cards">${cards.slice(0, 6).map(([card, trick]) => html`<figure key=${card}><${Card} card=${card} /><figcaption>${cardName(card)}${trick && html`<br />${t("page-mend-trick", { number: trick })}`}</figcaption></figure>`)}</div>`}
      ${view.sides && typeof who === "number" && html`<p class="row"><${Side} side=${view.sides[who]} /> <b>${playerName(seats, who, isBoard(view))}</b></p>`}
      ${paired && html`<${SeenAt} get=${() => ask("moment", {})} alert=${alert} live=${true} />`}
      ${prompt && prompt.text !== alert && html`<p>${fine(promptText(state))}</p>`}
      <div class="answers">${prompt && paired && html`<${Answers} state=${state} give=${(facts) => ask("answer", facts)} />`}
        ${prompt && !paired && html`<button class="button whole" onClick=${wantPair}><${Icon} name="lock" />${t("page-ask-pair")}</button>`}
        ${about.notice && html`<button class="button quiet" onClick=${() => showRule(about)} data-test="which-rule">${fine(t("page-rules-ask"))}</button>`}
        <button class="button quiet" onClick=${hide}>${t("page-alarm-hide")}</button></div>
    </div>
    ${rules}
  </dialog>`;
};

export const Follow = ({ state, ask, paired, wantPair, setUp, linked, more, link, hidden, hide }) => {
  const { view, alert, prompt } = state;
  const [below, sitDown] = useBelow(view.players || 2);
  const [showRules, rules] = useRules(state, ask);
  const Speak = useModule(linked ? "/speak.js" : null)?.Speak; // Not before the table is drawn, and followed.
  if (!view.game) return html`<p class="waits">${waitingText(state)}</p>`;
  const waits = state.situation !== "looking" && waitingText(state);
  return html`<div class="follow ${isBoard(view) ? "board" : "cards"}">
    <${Played} state=${state} below=${below} sitDown=${sitDown} />
    <div class="side-by">
      ${state.learner && html`<${Hand} learner=${state.learner} seats=${state.seats} />`}
      ${state.troubles?.length > 0 && html`<div class="troubles">${troubleTexts(state).map((one) => html`<p class="note"><${Icon} name="warning" />${one}</p>`)}</div>`}
      ${alert && hidden === alert && html`<button class="alarm-line" onClick=${() => hide(null)}><${Icon} name="warning" />${fine(alertText(state))}</button>`}
      ${prompt && (!alert || hidden === alert) && html`<${Ask} state=${state} ask=${ask} paired=${paired} wantPair=${wantPair} />`}
      ${waits && html`<p class="waits">${waits}</p>`}
      ${!state.events && html`<button class="button main" onClick=${setUp}><${Icon} name="aim" />${t("page-setup-title")}</button>`}
      ${paired && ((state.teaches && !state.learner) || (state.against !== undefined && isBoard(view) && view.turn !== undefined && state.against !== seatOf(view.turn) && view.winner === undefined)) && html`<button class="button" onClick=${() => ask("act", { action: "hint" })}>${t("page-table-hint")}</button>`}
      ${paired && state.teaches !== undefined && html`<div class="row">${(state.teaches ? [state.learner ? "next_learner" : "skip_lesson", "stop_lessons"] : ["teach"]).map((action) => html`<button class="button" key=${action} onClick=${() => ask("act", { action })}>${t(`page-table-${action}`)}</button>`)}</div>`}
      ${state.sentences?.length > 0 && html`<section class="panel"><h2 class="hidden-words">${t("page-table-said")}</h2><ol class="said">${saidLast(state).reverse().slice(0, 5).map((one, at) => html`<li key=${`${at} ${one}`}>${fine(one)}</li>`)}</ol></section>`}
      ${view.winner !== undefined && html`<a class="button main" href="#/matches"><${Icon} name="save" />${t("page-tonight-title")}</a>`}
      <button class="button quiet" onClick=${() => showRules(null)} data-test="rules"><${Icon} name="log" />${t("page-rules-title")}</button>
      ${Speak && html`<${Speak} speech=${more.speech} link=${link} />`}
    </div>
    ${rules}
    ${alert && hidden !== alert && html`<${Alarm} state=${state} ask=${ask} paired=${paired} wantPair=${wantPair} hide=${() => hide(alert)} />`}
  </div>`;
};
