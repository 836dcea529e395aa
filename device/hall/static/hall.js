// The hall's page: the wall of all tables, what needs an arbiter first; and one table with what an arbiter may do.
import { Link } from "/w/link.js";
import { Component, Icon, Side, alertOf, alertText, fine, gameName, givenName, html, opening, promptText, render, said, saidLast, speak, t, useEffect, useModule, useRef, useState, useTold } from "/w/ui.js";
import { aloud } from "/w/cards.js";
import { Answers, Played } from "/follow.js";

const body = document.body;
const URGENT = ["alert", "fault", "question", "silent"];
const TOLD_MS = 5000;
const NAV = [["", "tables", "table"], ["tournaments", "tournaments", "matches"], ["league", "league", "log"]];
/** Where the page is: what of, which one, and which view of that. */
const here = () => { const [kind = "", id = "", ...view] = location.hash.replace(/^#\//, "").split("/"); return { kind, id: decodeURIComponent(id), view: view.join("/") }; };
const PARTS = { screen: "/screen.js", tournaments: "/tournament.js", tournament: "/tournament.js", league: "/league.js", player: "/league.js", phones: "/phones.js" };
const LOOKED = { table: "table", tournament: "tournament" };
const refusal = (error) => { const name = error?.refused; return said(`hall-refused-${name}`) ? t(`hall-refused-${name}`, error) : said(`page-refused-${name}`) ? t(`page-refused-${name}`, error) : t("page-refused-unknown"); };
const byNeed = (a, b) => (URGENT.indexOf(a.needs) + 1 || 9) - (URGENT.indexOf(b.needs) + 1 || 9) || a.title.localeCompare(b.title, undefined, { numeric: true });

/** A part of the page that fails alone: the others stay. */
class Fenced extends Component {
  constructor() { super(); this.state = {}; }
  static getDerivedStateFromError(failed) { return { failed }; }
  render({ children, instead }, { failed }) { return failed ? instead : children; }
}

const Tile = ({ row }) => html`<a class="tile panel ${row.needs ? `needs-${row.needs}` : ""}" href=${`#/table/${encodeURIComponent(row.name)}`} data-test="tile">
  <h3>${row.title}<span class="small soft">${row.view.game && said(`${row.view.game}-name`) ? gameName(row.view.game) : ""}${!row.confirmed && ` · ${t("hall-unconfirmed")}`}</span></h3>
  ${row.needs && html`<span class="why"><${Icon} name=${row.needs === "question" ? "log" : "warning"} />${t(`hall-needs-${row.needs}`)}</span>`}
  ${(row.alert || row.question || row.trouble) && html`<p>${fine(alertOf(row)) || (row.trouble && t(`hall-faults-${row.trouble}`)) || fine(row.question)}</p>`}
  <p class="scores">${row.scores.map((score, side) => html`<span><${Side} side=${side} />${score}</span>`)}</p>
  <p class="who">${row.seats.map((_, seat) => givenName(row.seats, seat)).filter(Boolean).join(" · ")}</p>
</a>`;

const Wall = ({ rows, find }) => {
  const wanted = find.toLowerCase();
  const shown = rows.filter((row) => !wanted || [row.title, row.name, ...row.seats].some((text) => text.toLowerCase().includes(wanted))).sort(byNeed);
  const urgent = shown.filter((row) => URGENT.includes(row.needs)), others = shown.filter((row) => !URGENT.includes(row.needs));
  const tile = (row) => html`<${Fenced} key=${row.name} instead=${html`<a class="tile panel needs-fault" href=${`#/table/${encodeURIComponent(row.name)}`}><h3>${row.name}</h3><p>${t("hall-faults-odd")}</p></a>`}><${Tile} row=${row} /><//>`;
  if (!rows.length) return html`<p class="panel">${t("hall-none")}</p>`;
  return html`
    ${urgent.length > 0 && html`<section class="urgent" aria-labelledby="needed"><h2 id="needed">${t("hall-needed")}</h2><div class="wall">${urgent.map(tile)}</div></section>`}
    <section aria-labelledby="there"><h2 id="there">${t("hall-playing", { number: rows.filter((row) => row.online).length })}</h2><div class="wall">${others.map(tile)}</div></section>`;
};

/** The way a hall gets a table's key: the code on the table's own display. */
const Pairing = ({ table, ask, done }) => {
  const [begun, setBegun] = useState(false), [code, setCode] = useState("");
  const begin = async () => { if ((await ask("pair_begin", { table })) !== undefined) setBegun(true); };
  const finish = async (event) => {
    event.preventDefault();
    if ((await ask("pair_finish", { table, code })) !== undefined) done(); else { setBegun(false); setCode(""); }
  };
  if (!begun) return html`<button class="button" onClick=${begin}><${Icon} name="lock" />${t("hall-pair")}</button>`;
  return html`<form class="stack" onSubmit=${finish}><p>${t("hall-pair_how")}</p>
    <label class="field"><span class="label">${t("hall-pair_code")}</span><input class="text code" inputmode="numeric" autocomplete="off" maxlength="6" value=${code} onInput=${(event) => setCode(event.target.value)} /></label>
    <button class="button main" disabled=${code.length !== 6}>${t("page-yes")}</button></form>`;
};

/** An arbiter sets the score right; why stands in the hall's log and in the table's own. */
const HandScore = ({ now, why, send }) => {
  const { view } = now, [typed, setTyped] = useState([]);
  const games = view?.games || (view?.captured && Object.values(view.captured));
  if (!games) return null;
  const shown = games.map((one, side) => typed[side] ?? one);
  return html`<form class="row" onSubmit=${(event) => { event.preventDefault(); send({ do: "score", points: shown.map(Number), reason: why.trim() }); setTyped([]); }}>
    ${shown.map((value, side) => html`<input key=${side} class="text number" type="number" inputmode="numeric" min="0" max="9999" required aria-label=${`${t("hall-score")} ${side + 1}`} value=${value} onInput=${(event) => setTyped(Object.assign([...typed], { [side]: event.target.value }))} />`)}
    <button class="button" disabled=${!why.trim()}>${t("hall-score")}</button></form>`;
};

const Arbiter = ({ table, now, why, setWhy, ask, tell }) => {
  const send = async (command) => { if ((await ask("command", { table, command, why })) !== undefined) { tell(t("hall-sent")); setWhy(""); } };
  return html`<section class="panel stack">
    ${now.prompt && html`<h2>${fine(promptText(now))}</h2><div class="row"><${Answers} state=${now} give=${(facts) => send({ do: "answer", ...facts })} /></div>`}
    <label class="field"><span class="label">${t("hall-why")}</span><input class="text" value=${why} maxlength="200" onInput=${(event) => setWhy(event.target.value)} /></label>
    <div class="row"><button class="button" disabled=${!why.trim()} onClick=${() => send({ do: "undo", events: now.events })}><${Icon} name="undo" />${t("hall-undo")}</button>
      <button class="button" disabled=${!why.trim()} onClick=${() => send({ do: "redo", events: now.events })}><${Icon} name="redo" />${t("hall-redo")}</button></div>
    <${HandScore} now=${now} why=${why} send=${send} />
    <${Pairing} table=${table} ask=${ask} done=${() => tell(t("hall-pair_done"))} />
  </section>`;
};

const Close = ({ table, row, now, ask, tell, decides, wantPair }) => {
  const [why, setWhy] = useState("");  // Stays while a table that was just paired comes anew.
  const known = now && now.name === table && now.view;
  return html`<div class="stack">
    <p><a class="button" href="#/"><${Icon} name="back" />${t("hall-back")}</a></p>
    <h2>${row?.title || table}${row?.needs && html` · <span class="why">${t(`hall-needs-${row.needs}`)}</span>`}</h2>
    ${row?.trouble && html`<p class="note">${t(`hall-faults-${row.trouble}`)}</p>`}
    ${now?.alert && html`<p class="note" role="alert">${fine(alertText(now))}</p>`}
    ${row && !row.confirmed && html`<p class="note">${t(row.paired ? "hall-unsigned_about" : "hall-unconfirmed_about")}</p>`}
    ${known && html`<${Fenced} key=${table} instead=${html`<p class="note">${t("hall-faults-odd")}</p>`}><div class="close"><div class="stack follow"><${Played} state=${now} below=${0} /></div>
      <div class="stack">
        ${decides ? html`<${Arbiter} table=${table} now=${now} why=${why} setWhy=${setWhy} ask=${ask} tell=${tell} />` : html`<button class="button" onClick=${wantPair}><${Icon} name="lock" />${t("page-pair-title")}</button>`}
        <section class="panel"><h2 class="small soft">${t("hall-evidence")}</h2><ul class="said">${saidLast(now).reverse().map((text, at) => html`<li key=${at}>${fine(text)}</li>`)}</ul></section></div></div><//>`}
  </div>`;
};

const App = ({ first }) => {
  const [state, setState] = useState(first), [hello, setHello] = useState({ paired: body.dataset.role !== "", role: body.dataset.role });
  const [there, setThere] = useState(true), [at, setAt] = useState(here()), [now, setNow] = useState(null), [held, setHeld] = useState({});
  const [find, setFind] = useState(""), [told, tell] = useState(""), [pairs, setPairs] = useState(false), [names, setNames] = useState(false);
  const link = useRef(null), main = useRef(null), lineUp = useRef(null);
  lineUp.current ??= opening();
  useEffect(() => {
    link.current = new Link({
      state: setState, there: (up) => { if (up) lineUp.current.up(); setThere(up); },
      message: (message) => { if (message.hello) { if (body.dataset.version && message.hello.version !== body.dataset.version) return location.reload(); setHello(message.hello); } else if (message.table) setNow(message.table); else if (message.tournament) setHeld((old) => ({ ...old, [message.tournament.id]: message.tournament })); return undefined; },
    });
    const moved = () => setAt(here());
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  const table = at.kind === "table" ? at.id : "", Part = useModule(PARTS[at.kind]), screen = at.kind === "screen";
  const looked = (screen ? (Part?.shownTournaments(state) || []).map((id) => `tournament:${id}`) : LOOKED[at.kind] ? [`${LOOKED[at.kind]}:${at.id}`] : []).join(" ");
  useEffect(() => { setNow(null); link.current?.look(looked ? looked.split(" ") : []); }, [looked]);
  useEffect(() => { main.current?.focus({ preventScroll: true }); scrollTo(0, 0); }, [location.hash]);
  useTold(told, there ? "" : t("page-away"));
  useEffect(() => { if (!told) return undefined; const timer = setTimeout(() => tell(""), TOLD_MS); return () => clearTimeout(timer); }, [told]);
  const Pair = useModule(pairs ? "/w/pair.js" : null)?.Pair, Name = useModule(names ? "/name.js" : null)?.Name;
  const wantPair = () => setPairs(true);
  const ask = async (what, facts) => {
    try { await lineUp.current.first; const value = await link.current.ask(what, facts); return value === null ? true : value; }
    catch (error) { if (error.refused === "not_paired") wantPair(); tell(refusal(error)); return undefined; }
  };
  const rows = Object.values(state?.tables || {});
  const decides = hello.role === "arbiter" || hello.role === "owner";
  const view = () => {
    if (!state) return html`<p role="status">${t("page-loading")}</p>`;
    if (at.kind === "table") return html`<${Close} key=${table} table=${table} row=${state.tables?.[table]} now=${now} ask=${ask} tell=${tell} decides=${decides} wantPair=${wantPair} />`;
    if (!PARTS[at.kind]) return html`${state.left_out > 0 && html`<p class="note">${t("hall-left_out", { number: state.left_out })}</p>`}<${Wall} rows=${rows} find=${find} />`;
    if (!Part) return html`<p role="status">${t("page-loading")}</p>`;
    const about = { state, there, ask, tell, decides, me: hello, owns: hello.role === "owner" };
    if (screen) return html`<${Part.Screen} state=${state} held=${Part.shownTournaments(state).map((id) => held[id]).filter(Boolean)} />`;
    if (at.kind === "tournaments") return html`<${Part.Tournaments} ...${about} />`;
    if (at.kind === "tournament") return held[at.id] ? html`<${Part.Tournament} key=${at.id} now=${held[at.id]} view=${at.view} ...${about} />` : html`<p role="status">${state.tournaments?.[at.id] ? t("page-loading") : t("hall-tour-unknown")}</p>`;
    if (at.kind === "league") return html`<${Part.League} ...${about} />`;
    if (at.kind === "player") return html`<${Part.Player} id=${Number(at.id)} ...${about} />`;
    return hello.paired ? html`<${Part.Phones} ...${about} />` : html`<button class="button" onClick=${wantPair}><${Icon} name="lock" />${t("page-pair-title")}</button>`;
  };
  const urgent = rows.filter((row) => row.needs === "alert").map((row) => `${row.title}: ${aloud(alertOf(row))}`).join(" ");
  const paired = () => { setPairs(false); tell(t("page-pair-done")); link.current.again(); setNames(true); };
  if (screen && state) return html`${!there && html`<p class="note" role="status">${t("page-away")}</p>`}${view()}`;
  return html`
    <header class="top"><h1><img src="/icon.svg" alt="" />${t("hall-title")}</h1>
      <nav class="row" aria-label=${t("hall-title")}>${NAV.map(([to, name, icon]) => html`<a class="button quiet" href=${`#/${to}`} aria-current=${at.kind === to || (at.kind === "table" && !to) || `${at.kind}s` === to || (at.kind === "player" && to === "league") ? "page" : undefined}><${Icon} name=${icon} />${t(`hall-nav-${name}`)}</a>`)}
        <a class="button quiet on-large" href="#/screen"><${Icon} name="full" />${t("hall-nav-screen")}</a>
        ${hello.paired && html`<a class="button quiet" href="#/phones" aria-current=${at.kind === "phones" ? "page" : undefined}><${Icon} name="phone" />${t("hall-nav-phones")}</a>`}</nav>
      ${!at.kind && html`<input class="find" type="search" aria-label=${t("hall-find")} placeholder=${t("hall-find")} value=${find} onInput=${(event) => setFind(event.target.value)} />`}
      ${!hello.paired && html`<button class="button" onClick=${wantPair}><${Icon} name="phone" />${t("page-pair-short")}</button>`}</header>
    <main tabindex="-1" ref=${main}>
      ${!there && html`<p class="note" role="status">${t("page-away")}</p>`}
      ${state && !state.there && html`<p class="note" role="status">${t("hall-no_broker")}</p>`}
      ${view()}
    </main>
    ${pairs && Pair && html`<${Pair} how=${t("hall-pair_phone_how")} close=${() => setPairs(false)} paired=${paired} />`}
    ${names && Name && html`<${Name} ask=${ask} tell=${tell} close=${() => setNames(false)} />`}
    <p class="hidden-words" aria-live="assertive">${urgent}</p>`;
};

const words = await import(`/words/${document.documentElement.lang}.js`);
speak(words.default, document.documentElement.lang);
const page = document.getElementById("page");
page.textContent = "";
render(html`<${App} first=${body.dataset.state ? JSON.parse(body.dataset.state) : null} />`, page);
