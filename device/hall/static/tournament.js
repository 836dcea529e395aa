// Tournaments: who is in, who plays whom and where, who stands where; and the sheets that are printed of it.
import { Choices, Icon, Sheet, Side, dated, download, gameName, givenName, html, said, t, useKept, useLayoutEffect, useRead, useState } from "/w/ui.js";

const FORMS = ["village", "round_robin", "swiss", "knockout"];
const FILES = [["standings.csv", "text/csv"], ["rounds.csv", "text/csv"], ["entries.csv", "text/csv"], ["tournament.json", "application/json"]];
const T = (name, facts) => t(`hall-tour-${name}`, facts);
const half = (number) => (number % 1 ? `${Math.floor(number) || ""}½` : String(number));
const when = (at) => dated(at * 1000, { dateStyle: "short", timeStyle: "short" });
const gameOf = (game) => (game ? gameName(game) : T("any_game"));
const both = (side) => side.join(" & ");

/** Asks for a reason before something is overruled. */
const Why = ({ label, go, close }) => {
  const [why, setWhy] = useState("");
  return html`<${Sheet} label=${label} close=${close}><form class="stack" onSubmit=${(event) => { event.preventDefault(); go(why.trim()); close(); }}>
    <label class="field"><span class="label">${t("hall-why")}</span><input class="text" autofocus value=${why} maxlength="200" onInput=${(event) => setWhy(event.target.value)} /></label>
    <button class="button main" disabled=${!why.trim()}>${t("page-yes")}</button></form><//>`;
};

const Begin = ({ ask, games, tables }) => {
  const [title, setTitle] = useState(""), [form, setForm] = useState("village"), [side, setSide] = useState(2);
  const [game, setGame] = useState("turufu"), [planned, setPlanned] = useState(""), [devices, setDevices] = useState(tables > 0);
  const begin = async (event) => {
    event.preventDefault();
    const id = await ask("begin", { title, form, side, game, planned: Number(planned) || 0, devices });
    if (id) location.hash = `#/tournament/${id}/players`;
  };
  return html`<form class="panel stack" onSubmit=${begin} aria-labelledby="begin-title"><h2 id="begin-title">${T("new")}</h2>
    <label class="field"><span class="label">${T("title")}</span><input class="text" required maxlength="80" value=${title} onInput=${(event) => setTitle(event.target.value)} /></label>
    <div class="field"><span class="label">${T("form")}</span><${Choices} label=${T("form")} value=${form} choose=${setForm} values=${FORMS.map((one) => [one, t(`hall-form-${one}`)])} /><p class="small soft">${t(`hall-form_about-${form}`)}</p></div>
    <div class="field"><span class="label">${form === "village" ? T("side_drawn") : T("side")}</span><${Choices} label=${T("side")} value=${side} choose=${setSide} values=${[1, 2, 3].map((one) => [one, String(one)])} /></div>
    <label class="field"><span class="label">${T("game")}</span><select class="text" value=${game} onChange=${(event) => setGame(event.target.value)}>${games.map((one) => html`<option value=${one}>${gameOf(one)}</option>`)}<option value="">${T("any_game")}</option></select></label>
    <label class="field"><span class="label">${T("planned")}</span><input class="text number" type="number" min="0" max="200" value=${planned} placeholder=${T("planned_auto")} onInput=${(event) => setPlanned(event.target.value)} /></label>
    ${tables > 0 && html`<label class="row"><input type="checkbox" checked=${devices} onChange=${(event) => setDevices(event.target.checked)} />${T("use_tables", { number: tables })}</label>`}
    <button class="button main" disabled=${!title.trim()}>${T("begin")}</button></form>`;
};

export const Tournaments = ({ state, ask, decides }) => {
  const all = Object.entries(state.tournaments || {}).sort(([, a], [, b]) => a.over - b.over || a.title.localeCompare(b.title));
  return html`<div class="stack narrow"><h2>${t("hall-nav-tournaments")}</h2>
    ${all.length === 0 && html`<p class="panel">${T("none")}</p>`}
    <ul class="stack">${all.map(([id, one]) => html`<li key=${id}><a class="tile panel" href=${`#/tournament/${id}`} data-test="tournament"><h3>${one.title}<span class="small soft">${one.over ? T("over") : one.open ? T("open", { number: one.open }) : ""}</span></h3>
      <p class="soft">${t(`hall-form-${one.form}`)} · ${T("there", { number: one.there })} · ${T("rounds", { number: one.rounds })}</p></a></li>`)}</ul>
    ${decides && html`<${Begin} ask=${ask} games=${state.games} tables=${Object.values(state.tables || {}).filter((row) => row.online || row.paired).length} />`}</div>`;
};

// -- one tournament ----------------------------------------------------------------------------------------------------

const Entry = ({ one, now, decide, decides }) => {
  const [names, setNames] = useState(null);
  const save = async (event) => {
    event.preventDefault();
    for (const [at, name] of names.entries()) if (name.trim() && name.trim() !== one.names[at] && !(await decide({ do: "player", entrant: one.id, at, name }))) return;
    setNames(null);
  };
  return html`<li class="entry ${one.gone ? "gone" : ""}" data-test="entry">
    <span class="num">${one.id}</span>
    ${names ? html`<form class="row grow" onSubmit=${save}>${names.map((name, at) => html`<input class="text" key=${at} aria-label=${T("name")} value=${name} maxlength="60" onInput=${(event) => setNames(names.map((old, k) => (k === at ? event.target.value : old)))} />`)}<button class="button">${t("hall-save")}</button></form>`
      : html`<span class="grow">${one.names.map((name, at) => html`${at > 0 && " & "}<a href=${`#/player/${one.people[at]}`}>${name}</a>`)}${one.club && html` <span class="soft">${one.club}</span>`}${one.rating > 0 && html` <span class="soft">${one.rating}</span>`}${one.gone && html` <span class="badge">${T("gone")}</span>`}</span>`}
    ${decides && !now.over && html`<span class="row acts">
      <button class="button quiet" aria-label=${`${T("rename")}: ${both(one.names)}`} onClick=${() => setNames(names ? null : [...one.names])}>${names ? t("page-close") : T("rename")}</button>
      <button class="button quiet" aria-label=${`${T(one.gone ? "back" : "leave")}: ${both(one.names)}`} onClick=${() => decide({ do: one.gone ? "back" : "leave", entrant: one.id })}>${T(one.gone ? "back" : "leave")}</button>
      ${now.rounds.length === 0 && html`<button class="button quiet" aria-label=${`${T("out")}: ${both(one.names)}`} onClick=${() => decide({ do: "out", entrant: one.id })}><${Icon} name="bin" /></button>`}</span>`}
  </li>`;
};

/** What Excel's "Unicode text" begins with, either way round. */
const UTF_16 = { "255 254": "utf-16le", "254 255": "utf-16be" };

/** A list as it was saved: in UTF-8, as "Unicode text", or as Excel does in French. */
const decoded = (bytes) => {
  const wide = UTF_16[new Uint8Array(bytes).slice(0, 2).join(" ")];
  if (wide) return new TextDecoder(wide).decode(bytes);
  try { return new TextDecoder("utf-8", { fatal: true }).decode(bytes); } catch { return new TextDecoder("windows-1252").decode(bytes); }
};

const Players = ({ now, decide, decides }) => {
  const [text, setText] = useState("");
  const enter = async (event) => { event.preventDefault(); if (await decide({ do: "enter", text })) setText(""); };
  const file = async (event) => { const one = event.target.files[0]; if (one) setText(decoded(await one.arrayBuffer())); };
  return html`<div class="stack">
    ${decides && !now.over && html`<form class="panel stack no-print" onSubmit=${enter}><label class="field"><span class="label">${T("enter")}</span>
      <textarea class="text" rows="5" value=${text} onInput=${(event) => setText(event.target.value)}></textarea></label><p class="small soft">${now.named_each > 1 ? T("enter_how_pairs", { number: now.named_each }) : T("enter_how")}</p>
      <div class="row"><button class="button main" disabled=${!text.trim()}>${T("enter_do")}</button><label class="button">${T("enter_file")}<input class="hidden-words" type="file" accept=".csv,.txt,text/csv,text/plain" onChange=${file} /></label></div></form>`}
    <h2>${T("there", { number: now.entrants.filter((one) => !one.gone).length })}</h2>
    <ol class="entries">${now.entrants.map((one) => html`<${Entry} key=${one.id} one=${one} now=${now} decide=${decide} decides=${decides} />`)}</ol></div>`;
};

const Meeting = ({ one, round, at, now, live, others, decide, decides, whyFor }) => {
  const done = one.games !== null;
  const [games, setGames] = useState(["", ""]), [changing, setChanging] = useState(false);
  useLayoutEffect(() => { setGames(["", ""]); setChanging(false); }, [String(one.games)]);
  const tell = (found, walkover) => {
    const what = { do: "result", round, at, games: found, walkover };
    return done ? whyFor(T("correct"), (why) => decide(what, why)) : decide(what);
  };
  const broken = !done && !one.off && now.spots.some((spot) => spot.broken && spot.number === one.table);
  const won = done && one.games[0] !== one.games[1] ? Number(one.games[1] > one.games[0]) : null;
  const name = (side) => html`<span class="who-side ${won === side ? "won" : ""}"><${Side} side=${side} />${both(one.sides[side])}</span>`;
  return html`<li class="meeting ${one.off ? "gone" : ""}" data-test="meeting">
    <span class="place">${one.table ? html`<b>${one.table}</b>` : html`<span class="badge">${T("waits")}</span>`}${broken && html`<span class="badge">${T("broken")}</span>`}${one.device && html`<a class="small no-print" href=${`#/table/${one.device}`}>${one.device}</a>`}${one.bracket !== "main" && html`<span class="badge">${t(`hall-bracket-${one.bracket}`)}</span>`}</span>
    ${name(0)}
    <span class="score-line">${one.off ? T("off") : done ? html`<b data-test="games">${one.games[0]} – ${one.games[1]}</b>${one.walkover && html`<span class="badge">${T("walkover")}</span>`}` : live ? html`<span class="soft">${live.join(" – ")}</span>` : html`<span class="blank">–</span>`}${one.device && !one.alone && !done && html`<span class="badge no-print">${T("by_hand")}</span>`}${one.device && !done && !one.off && one.long.length > 0 && html`<span class="badge no-print">${T("name_long", { names: one.long.join(", ") })}</span>`}${others && one.alone && !done && !one.off && html`<span class="badge no-print">${T("others")}</span>`}</span>
    ${name(1)}
    ${done && html`<span class="small soft by no-print">${one.from_table ? T("by_table", { table: one.by }) : T("by", { who: one.by })}</span>`}
    ${decides && !one.off && html`<div class="enter no-print">
      ${(!done || changing) && html`<form class="row" onSubmit=${(event) => { event.preventDefault(); tell(games.map(Number), false); }}>
        ${[0, 1].map((side) => html`<input class="text number" type="number" min="0" max="10000" required aria-label=${T("games_of", { name: both(one.sides[side]) })} value=${games[side]} onInput=${(event) => setGames(games.map((old, k) => (k === side ? event.target.value : old)))} />`)}
        <button class="button">${T("tell")}</button></form>`}
      ${done && html`<button class="button quiet" aria-label=${`${T("correct")}: ${both(one.sides[0])} – ${both(one.sides[1])}`} onClick=${() => setChanging(!changing)}>${changing ? t("page-close") : T("correct")}</button>`}
      ${(!done || changing) && !now.over && html`<details><summary>${T("other")}</summary><div class="row">
        ${[0, 1].map((side) => html`<button class="button quiet" onClick=${() => tell(side ? [0, 1] : [1, 0], true)}>${T("walkover_for", { name: both(one.sides[side]) })}</button>`)}
        ${!done && now.free.map((number) => html`<button class="button quiet" onClick=${() => decide({ do: "move", round, at, table: number })}>${T("move", { number })}</button>`)}
        ${!done && now.form !== "knockout" && html`<button class="button quiet" onClick=${() => whyFor(T("off_do"), (why) => decide({ do: "off", round, at }, why))}>${T("off_do")}</button>`}
        </div></details>`}
    </div>`}
  </li>`;
};

const nameKey = (name) => name.normalize("NFC").trim().replace(/\s+/g, " ").toLowerCase();

/** Whether a table says that only other people sit there: what they play is nobody's result. */
const othersAt = (row, one) => {
  const seats = row?.seats || [], names = one.sides.flat().map(nameKey);
  return seats.length > 0 && seats.every((name, seat) => givenName(seats, seat) && !names.includes(nameKey(name)));
};

const Round = ({ now, number, tables, ...more }) => {
  const round = now.rounds[number];
  return html`<div class="stack"><h2>${T("round", { number: number + 1 })}<span class="print-only"> · ${now.title}</span></h2>
    <ul class="meetings">${round.meetings.map((one, at) => html`<${Meeting} key=${`${number} ${at}`} one=${one} round=${number} at=${at} now=${now} others=${Boolean(one.device) && othersAt(tables[one.device], one)} live=${one.device && tables[one.device]?.scores?.length === 2 ? tables[one.device].scores : null} ...${more} />`)}</ul>
    ${round.byes.length > 0 && html`<p class="panel"><b>${T("byes")}</b> ${round.byes.join(", ")}</p>`}
    <section class="panel seats"><h3>${T("seats")}</h3><ul>${round.meetings.filter((one) => one.table && !one.off).map((one) => html`<li><b>${T("table", { number: one.table })}</b> ${one.seats.map((name, seat) => `${seat + 1} ${name}`).join(" · ")}</li>`)}</ul></section></div>`;
};

/** A slip for each table: who sits where, and lines for the result and for both to sign. */
const Slips = ({ now, number }) => html`<div class="slips">${now.rounds[number].meetings.filter((one) => !one.off && !one.games).map((one) => html`<section class="slip">
  <h3>${now.title} · ${T("round", { number: number + 1 })}<b>${one.table || "…"}</b></h3>
  <ol>${one.seats.map((name) => html`<li>${name}</li>`)}</ol>
  <table><thead><tr><th scope="col">${T("side_short")}</th><th scope="col">${T("games_won")}</th><th scope="col">${T("signed")}</th></tr></thead><tbody>${one.sides.map((side) => html`<tr><th scope="row">${both(side)}</th><td></td><td></td></tr>`)}</tbody></table></section>`)}</div>`;

const Standings = ({ now }) => html`<div class="stack"><h2>${T("standings")}<span class="print-only"> · ${now.title}</span></h2>
  <div class="scroll" tabindex="0" role="region" aria-label=${T("standings")}><table class="standings"><thead><tr><th scope="col">${T("rank")}</th><th scope="col">${T("name")}</th><th scope="col">${T("points")}</th><th scope="col" class="wide">${T("played")}</th><th scope="col" class="wide">${T("won")}</th><th scope="col">${T("games")}</th>${now.breaks.filter((one) => one !== "lot").map((one) => html`<th scope="col" class="wide">${t(`hall-breaks-${one}`)}</th>`)}</tr></thead>
  <tbody>${now.standings.map((one) => html`<tr key=${one.id} class=${one.gone ? "gone" : ""} data-test="standing"><td>${one.rank}</td><th scope="row">${one.name}<span class="narrow-only small soft">${[`${T("played")} ${one.played}`, `${T("won")} ${one.won}`, ...now.breaks.map((name, at) => name !== "lot" && name !== "games_won" && `${t(`hall-breaks-${name}`)} ${half(one.breaks[at])}`).filter(Boolean)].join(" · ")}</span></th><td><b>${half(one.points)}</b></td><td class="wide">${one.played}</td><td class="wide">${one.won}</td><td>${one.games[0]}–${one.games[1]}</td>${now.breaks.map((name, at) => name !== "lot" && html`<td class="wide">${half(one.breaks[at])}</td>`)}</tr>`)}</tbody></table></div>
  <section class="panel small"><h3>${T("breaks")}</h3><ol class="stated">${now.breaks.map((one) => html`<li><b>${t(`hall-breaks-${one}`)}</b> – ${t(`hall-breaks_about-${one}`)}</li>`)}</ol></section></div>`;

const Places = ({ now, tables, decide, decides }) => {
  const [spots, setSpots] = useKept(now.spots, JSON.stringify(now.spots));
  const put = (at, part) => setSpots(spots.map((one, k) => (k === at ? { ...one, ...part } : one)));
  const devices = [...new Set([...Object.keys(tables), ...spots.map((one) => one.device)])].filter(Boolean).sort((a, b) => a.localeCompare(b, undefined, { numeric: true }));
  const edits = decides && !now.over;
  return html`<div class="stack"><h2>${T("tables")}</h2><p class="soft">${T("tables_about")}</p>
    <ul class="entries">${spots.map((one, at) => html`<li class="entry ${one.broken ? "gone" : ""}" key=${one.number}><b class="num">${one.number}</b>
      ${edits ? html`<label class="grow field"><span class="hidden-words">${T("device_of", { number: one.number })}</span><select class="text" value=${one.device} onChange=${(event) => put(at, { device: event.target.value })}><option value="">${T("no_device")}</option>${devices.map((name) => html`<option value=${name}>${tables[name]?.title || name}</option>`)}</select></label>
        <label class="row"><input type="checkbox" checked=${one.broken} onChange=${(event) => put(at, { broken: event.target.checked })} />${T("broken")}</label>
        <button class="button quiet" aria-label=${T("table_out", { number: one.number })} onClick=${() => setSpots(spots.filter((_, k) => k !== at))}><${Icon} name="bin" /></button>`
        : html`<span class="grow">${one.device || T("no_device")}${one.broken && html` <span class="badge">${T("broken")}</span>`}</span>`}</li>`)}</ul>
    ${edits && html`<div class="row"><button class="button" onClick=${() => setSpots([...spots, { number: Math.max(0, ...spots.map((one) => one.number)) + 1, device: "", broken: false }])}>${T("table_add")}</button>
      <button class="button main" disabled=${JSON.stringify(spots) === JSON.stringify(now.spots)} onClick=${() => decide({ do: "tables", spots })}>${t("hall-save")}</button></div>`}</div>`;
};

const Log = ({ now }) => html`<div class="stack"><h2>${T("log")}</h2><ol class="said">${now.changes.map((one, at) => html`<li key=${now.changes.length - at}><span class="soft small">${when(one.at)}</span> <b>${one.who}</b> · ${said(`hall-did-${one.do}`) ? t(`hall-did-${one.do}`, { ...one, name: one.name || "", games: one.games ? one.games.join(" – ") : "–" }) : one.do}${one.why && html` <q>${one.why}</q>`}</li>`)}</ol>${now.older > 0 && html`<p class="small soft">${t("hall-older", { number: now.older })}</p>`}</div>`;

export const Tournament = ({ now, view, state, ask, decides, me }) => {
  const [asked, setAsked] = useState(null);
  const base = `#/tournament/${now.id}`, last = now.rounds.length - 1, read = useRead(last);
  const decide = async (change, why = "") => (await ask("tournament", { id: now.id, change, why })) !== undefined;
  const whyFor = (label, go) => setAsked({ label, go });
  const [kind, which] = view.split("/"), number = Math.min(Math.max(0, which ? Number(which) - 1 : last), last);
  const shown = kind || (last >= 0 ? "round" : "players");
  const views = [["players", T("players")], ...(last >= 0 ? [["round", T("round_now")]] : []), ["standings", T("standings")], ["tables", T("tables")], ["log", T("log")]];
  const take = async (file, type) => { const got = await ask("file", { id: now.id, file }); if (got !== undefined) download(file, typeof got === "string" ? `\ufeff${got}` : JSON.stringify(got, null, 1), type); };
  const draw = async (open_ok) => { if (await decide({ do: "draw", open_ok, rounds: now.rounds.length })) location.hash = `${base}/round`; };
  const about = { now, tables: state.tables || {}, decide, decides: decides && (!now.over || shown === "round"), whyFor };
  return html`<div class="stack tournament">
    <p class="no-print"><a class="button" href="#/tournaments"><${Icon} name="back" />${t("hall-nav-tournaments")}</a></p>
    <div class="no-print"><h2 class="big">${now.title}</h2><p class="soft">${t(`hall-form-${now.form}`)} · ${gameOf(now.game)} · ${now.planned ? T("round_of", { number: now.rounds.length, planned: now.planned }) : T("rounds", { number: now.rounds.length })}${now.over ? ` · ${T("over")}` : now.open ? ` · ${T("open", { number: now.open })}` : ""}</p></div>
    <nav class="row tabs-row no-print" aria-label=${now.title}>${views.map(([one, label]) => html`<a class="button" href=${`${base}/${one}`} aria-current=${shown === one ? "page" : undefined}>${label}</a>`)}</nav>
    ${decides && !now.over && html`<div class="row no-print">
      ${now.finished ? html`<button class="button main" onClick=${() => decide({ do: "end" })}>${T("end")}</button>` : now.open && now.form !== "knockout" && last >= 0 ? html`<button class="button" disabled=${!read} onClick=${() => draw(true)}>${T("draw_open", { number: now.rounds.length + 1, open: now.open })}</button>` : !now.open && html`<button class="button main" disabled=${!read || now.entrants.length < 2} onClick=${() => draw(false)}>${T("draw", { number: now.rounds.length + 1 })}</button>`}
      ${last >= 0 && now.rounds[last].meetings.every((one) => !one.games) && html`<button class="button" onClick=${() => whyFor(T("undraw"), (why) => decide({ do: "undrawn", rounds: now.rounds.length }, why))}><${Icon} name="undo" />${T("undraw")}</button>`}
      ${!now.finished && last >= 0 && html`<button class="button quiet" onClick=${() => decide({ do: "end" })}>${T("end")}</button>`}
      ${now.finished && now.form !== "knockout" && html`<button class="button" disabled=${!read} onClick=${() => draw(false)}>${T("draw", { number: now.rounds.length + 1 })}</button>`}</div>`}
    ${decides && now.over && html`<div class="row no-print"><button class="button" onClick=${() => whyFor(T("reopen"), (why) => decide({ do: "reopen" }, why))}>${T("reopen")}</button></div>`}
    ${shown === "round" && now.rounds.length > 1 && html`<nav class="row no-print" aria-label=${T("rounds_all")}>${now.rounds.map((_, at) => html`<a class="button small" href=${`${base}/round/${at + 1}`} aria-current=${at === number ? "page" : undefined}>${at + 1}</a>`)}</nav>`}
    ${shown === "players" && html`<${Players} ...${about} />`}
    ${shown === "round" && last >= 0 && html`<${Round} number=${number} ...${about} />`}
    ${shown === "slips" && last >= 0 && html`<${Slips} now=${now} number=${number} />`}
    ${shown === "standings" && html`<${Standings} now=${now} />`}
    ${shown === "tables" && html`<${Places} ...${about} />`}
    ${shown === "log" && html`<${Log} now=${now} />`}
    <div class="row no-print"><button class="button" onClick=${() => print()}><${Icon} name="log" />${T("print")}</button>
      ${shown === "round" && html`<a class="button" href=${`${base}/slips/${number + 1}`}>${T("slips")}</a>`}
      <details><summary class="button">${T("files")}</summary><div class="row">${FILES.map(([file, type]) => html`<button class="button quiet" onClick=${() => take(file, type)}><${Icon} name="save" />${file}</button>`)}</div></details></div>
    ${asked && html`<${Why} label=${asked.label} go=${asked.go} close=${() => setAsked(null)} />`}
  </div>`;
};
