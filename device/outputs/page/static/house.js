// What the house decides: the match, names, rules, the device itself, its phones, its deck, its health.
import { Choices, Icon, Sheet, chooseLetters, fetched, gameName, givenName, html, languages, ownLetters, playerName, sideName, speak, t, useEffect, useLayoutEffect, useRef, useState } from "/w/ui.js";
import { Card, cardName } from "/w/cards.js";
import { leave } from "/w/pair.js";
import { OwnVoice } from "/record.js";
import { Picture, Verdicts } from "/aim.js";

/** What the device answered last to "house", and how to change it. */
const useHouse = (ask, paired, language, there) => {
  const [house, setHouse] = useState(null);
  const load = async () => { const found = await ask("house"); if (found) setHouse(found); };
  useEffect(() => { if (paired && there) load(); }, [paired, language, there]);
  const change = async (facts) => { const found = await ask("change", facts); if (found) setHouse(found); return found; };
  return [house, change, load];
};

const Panel = ({ title, children }) => html`<section class="panel stack"><h2>${title}</h2>${children}</section>`;
const Sure = ({ title, text, close, yes }) => html`<${Sheet} label=${title} close=${close}><p>${text}</p>
  <div class="row"><button class="button main" onClick=${async () => { await yes(); close(); }}>${t("page-yes")}</button><button class="button" onClick=${close}>${t("page-no")}</button></div><//>`;

const Names = ({ house, change }) => {
  const count = house.players[0], [typed, setTyped] = useState({}); // By seat, until the device has answered.
  const keep = async (at, name) => {
    await change({ names: { [at + 1]: name.trim() } });
    setTyped((old) => (old[at] === name ? { ...old, [at]: undefined } : old));
  };
  return html`<${Panel} title=${t("page-house-names")}>
    ${Array.from({ length: count }, (_, at) => html`<div class="field" key=${at}><label for=${`name-${at}`}>${playerName([], at, house.grid)}</label>
      <input id=${`name-${at}`} maxlength="16" autocomplete="off" value=${typed[at] ?? house.seats[at] ?? ""} onInput=${(event) => setTyped({ ...typed, [at]: event.target.value })} onChange=${(event) => keep(at, event.target.value)} /></div>`)}
    <p class="small soft">${t("page-house-names_next")}</p><//>`;
};

const Rules = ({ house, change }) => html`<${Panel} title=${t("page-house-rules")}>
  ${house.preset[1].length > 0 && html`<div class="stack"><${Choices} label=${t("page-house-preset")} values=${house.preset[1]} value=${house.preset[0]} choose=${(preset) => change({ preset })} /></div>`}
  ${house.options.map((one) => html`<div class="field" key=${one.name}><span class="label">${one.title}</span><p class="small soft">${one.about}</p>
    <${Choices} label=${one.title} values=${one.values} value=${one.value} choose=${(value) => change({ options: { [one.name]: value } })} /></div>`)}
<//>`;

/** Where other tables, a hall or a home's automation follow this one. */
const Broker = ({ house, change }) => {
  const [now, setNow] = useState(house.broker);
  // What is being typed stays when an answer to an earlier change comes in.
  const typing = (name) => document.activeElement?.id === `broker-${name}`;
  useLayoutEffect(() => setNow((typed) => Object.fromEntries(Object.entries(house.broker).map(([name, kept]) => [name, typing(name) ? typed[name] : kept]))), [JSON.stringify(house.broker)]);
  const fields = [["broker", "mqtt://", 200], ["table", "", 32], ["broker_user", "", 64]];
  return html`<${Panel} title=${t("page-house-broker")}><p class="small soft">${t("page-house-broker_how")}</p>
    ${fields.map(([name, hint, most]) => (name === "broker" || house.broker.broker) && html`<div class="field" key=${name}><label for=${`broker-${name}`}>${t(`page-house-broker_${name}`)}</label>
      <input id=${`broker-${name}`} autocomplete="off" autocapitalize="none" spellcheck=${false} placeholder=${hint} maxlength=${most} value=${now[name]} onInput=${(event) => setNow({ ...now, [name]: event.target.value })} onChange=${async (event) => { if (!(await change({ [name]: event.target.value.trim(), ...(name === "broker" && { broker_on: true }) }))) setNow(house.broker); }} /></div>`)}
    ${house.broker.broker && html`<div class="field"><label for="broker-code">${t("page-house-broker_code")}</label><input id="broker-code" inputmode="numeric" autocomplete="off" maxlength="20" placeholder="01 2345 6789 0" onChange=${async (event) => { const typed = event.target; if (typed.value.trim() && (await change({ broker_code: typed.value }))) typed.value = ""; }} /></div>`}
    ${house.broker.broker && html`<div class="field"><span class="label">${t("page-house-broker_on")}</span><${Choices} label=${t("page-house-broker_on")} values=${[[true, t("page-yes")], [false, t("page-no")]]} value=${house.broker.broker_on} choose=${(broker_on) => change({ broker_on })} /></div>`}<//>`;
};

const Deck = ({ enrol, ask, more }) => {
  const state = more.enrol !== undefined ? more.enrol : enrol;
  return html`<${Panel} title=${t("page-house-deck")}>
    ${!state && html`<p class="small soft">${t("page-house-deck_how")}</p><div class="row"><button class="button" onClick=${() => ask("enrol", { step: "begin" })}>${t("page-house-deck_begin")}</button>
      <button class="button quiet" onClick=${() => ask("enrol", { step: "anew" })}>${t("page-house-deck_anew")}</button></div>`}
    ${state && html`<${Picture} more=${more} /><p role="status" data-test="enrol">${state.done ? t("page-house-deck_done", { number: state.known }) : t("page-house-deck_lay")}</p>
      ${!state.done && html`<div class="picker lay">${state.wanted.map((card) => html`<${Card} card=${card} mini />`)}</div><p class="small soft">${t("page-house-deck_known", { number: state.known })}</p>`}
      ${state.problem && html`<p class="note">${state.problem}</p>`}
      <button class="button ${state.done ? "main" : ""}" onClick=${() => ask("enrol", { step: "end" })}>${t(state.done ? "page-house-deck_use" : "page-house-deck_stop")}</button>`}
  <//>`;
};

const Doctor = ({ ask }) => {
  const [found, setFound] = useState(null);
  return html`<${Panel} title=${t("page-house-doctor")}>
    <button class="button" onClick=${async () => setFound(await ask("doctor") || null)}>${t("page-house-doctor_ask")}</button>
    ${found && html`<ul class="findings">${found.map((one) => html`<li class=${one.level}><span aria-hidden="true">${{ well: "✓", note: "·", wrong: "!" }[one.level]}</span><span><b>${one.part}</b> ${one.text}</span></li>`)}</ul>`}
  <//>`;
};

/** Which Wi-Fi the device is in, and another one for it. */
const WiFi = ({ ask, more, there }) => {
  const [now, setNow] = useState(null), [chosen, setChosen] = useState(null), [name, setName] = useState(""), [password, setPassword] = useState(""), [tried, setTried] = useState(""), [listens, setListens] = useState(false);
  const load = async () => { const found = await ask("wifi"); if (found) setNow(found); };
  useEffect(() => { if (there) { setTried(""); setListens(false); load(); } }, [more.wifi, there]);
  if (!now) return null;
  const again = async () => (now.own ? setListens(await ask("wifi_listen")) : load());
  const join = async (ssid, secret) => { setChosen(null); setPassword(""); if (await ask("wifi_join", { ssid, password: secret })) setTried(ssid); };
  const state = now.own ? t("page-wifi-own") : now.name ? t("page-wifi-in", { name: now.name }) : t(now.online ? "page-wifi-cable" : "page-wifi-none");
  return html`<${Panel} title=${t("page-wifi-title")}><p data-test="wifi-state">${state}</p>
    <p role="status" data-test="wifi-told">${tried ? t("page-wifi-trying", { name: tried }) : now.last ? t(`page-wifi-${now.last.code}`, { name: now.last.ssid }) : ""}</p>
    ${now.heard.map((one) => html`<button class="button quiet row spread wide" key=${one.ssid} onClick=${() => (one.secured ? setChosen(one.ssid) : join(one.ssid, ""))}><span>${one.ssid}</span><span class="small soft">${one.secured ? html`<${Icon} name="lock" />` : ""} ${one.signal} %</span></button>`)}
    ${now.radio && html`<button class="button quiet wide" onClick=${() => setChosen("")}>${t("page-wifi-other")}</button>
      <button class="button" disabled=${listens} onClick=${again}><${Icon} name="turn" />${t("page-wifi-again")}</button>
      ${now.own && html`<p class="small soft">${t("page-wifi-closes")}</p>`}`}
    ${chosen !== null && html`<${Sheet} label=${chosen || t("page-wifi-other")} close=${() => setChosen(null)}><form class="stack" onSubmit=${(event) => { event.preventDefault(); join(chosen || name.trim(), password); }}>
      ${!chosen && html`<div class="field"><label for="wifi-name">${t("page-wifi-name")}</label><input id="wifi-name" autocomplete="off" autocapitalize="none" spellcheck=${false} maxlength="32" required value=${name} onInput=${(event) => setName(event.target.value)} /></div>`}
      <div class="field"><label for="wifi-password">${t("page-wifi-password")}</label><input id="wifi-password" autocomplete="off" autocapitalize="none" spellcheck=${false} maxlength="63" minlength="8" required=${!!chosen} value=${password} onInput=${(event) => setPassword(event.target.value)} /></div>
      <p class="small soft">${t("page-wifi-how")}</p><button class="button main" type="submit">${t("page-wifi-join")}</button></form><//>`}<//>`;
};

/** What runs here, and everything that is kept as one file. */
const About = ({ owner, about, update, ask, load }) => {
  const bring = async (from) => { await ask("update", { from }); load(); };
  useEffect(() => { if (!update.goes_on) return undefined; const timer = setInterval(load, 5000); return () => clearInterval(timer); }, [update.goes_on]);
  const [told, setTold] = useState("");
  const file = useRef(null);
  const takeIn = async (one) => {
    setTold(t("page-backup-sending"));
    const answer = await fetch("/backup", { method: "POST", headers: { "Content-Type": "application/zip" }, body: one }).then((found) => found.json()).catch(() => ({ refused: "away" }));
    file.current.value = "";
    if (answer.refused) return setTold(t(`page-refused-${answer.refused}`, answer));
    setTold([t("page-backup-taken", answer), !answer.deck && t("page-backup-deck_anew"), answer.left && t("page-backup-left", answer), t("page-backup-restart")].filter(Boolean).join(" "));
    return load();
  };
  return html`<${Panel} title=${t("page-about-title")}>
    <ul class="plain small" data-test="about">${[["version", about.version], ["disk", about.free_mb], ["temperature", about.celsius], ["memory", about.memory_mb]].filter(([, fact]) => fact !== null).map(([name]) => html`<li key=${name}>${t(`page-about-${name}`, about)}</li>`)}</ul>
    ${owner && update.can && html`<p class="small soft">${t("page-update-how")}</p><div class="row">
      ${update.address && html`<button class="button" disabled=${update.goes_on} onClick=${() => bring("fetched")}>${t("page-update-fetched")}</button>`}
      <button class="button" disabled=${update.goes_on} onClick=${() => bring("stick")}>${t("page-update-stick")}</button></div>`}
    ${(update.goes_on || update.last) && html`<p role="status" data-test="update-told">${update.goes_on ? t("page-update-goes_on") : update.last}</p>`}
    ${owner && html`<p class="small soft">${t("page-backup-how")}</p>
    <div class="row"><a class="button" href="/backup" download data-test="backup"><${Icon} name="save" />${t("page-backup-save")}</a>
      <button class="button" onClick=${() => file.current.click()}>${t("page-backup-take_in")}</button></div>
    <input type="file" accept=".zip,application/zip" hidden ref=${file} data-test="take-in" aria-label=${t("page-backup-take_in")} onChange=${(event) => event.target.files[0] && takeIn(event.target.files[0])} />
    <p role="status" data-test="backup-told">${told}</p>`}<//>`;
};

const Recordings = ({ house, change, ask }) => {
  const [found, setFound] = useState(null);
  useEffect(() => { ask("recordings").then((all) => setFound(all || [])); }, [house.record]);
  return html`<${Panel} title=${t("page-house-recordings")}>
    <p class="small soft">${t("page-house-recordings_how")}</p>
    <${Choices} label=${t("page-house-recordings")} values=${[[true, t("page-house-record_on")], [false, t("page-house-record_off")]]} value=${house.record} choose=${(record) => change({ record })} />
    <div class="field"><span class="label">${t("page-house-keep_moments")}</span><p class="small soft">${t("page-house-keep_moments_how")}</p>
      <${Choices} label=${t("page-house-keep_moments")} values=${[[true, t("page-yes")], [false, t("page-no")]]} value=${house.keep_moments} choose=${(keep_moments) => change({ keep_moments })} /></div>
    ${found?.map((one) => html`<div class="row spread" key=${one.name}><span>${one.name} · ${gameName(one.game)} · ${one.mb} MB</span>
      <button class="button quiet" aria-label=${t("page-house-delete", { name: one.name })} onClick=${async () => setFound(await ask("delete_recording", { name: one.name }) || found)}><${Icon} name="bin" /></button></div>`)}
  <//>`;
};

const PhonesPanel = ({ house, ask, load }) => html`<${Panel} title=${t("page-house-phones")}>
  <div class="field"><span class="label">${t("page-house-look")}</span><${Choices} label=${t("page-house-look")} values=${[["everybody", t("page-house-look_everybody")], ["paired", t("page-house-look_paired")]]} value=${house.page_look} choose=${async (page_look) => { await ask("change", { page_look }); load(); }} /></div>
  ${house.phones.map((one) => html`<div class="row spread" key=${one.id}><span>${one.name}${one.mine ? ` · ${t("page-house-this_phone")}` : ""}</span>
    ${(house.owner || one.mine) && html`<button class="button quiet" aria-label=${t("page-house-forget", { name: one.name })} onClick=${async () => { if (one.mine) { await leave(); location.reload(); } else { await ask("forget", { id: one.id }); load(); } }}><${Icon} name="bin" /></button>`}</div>`)}
  <button class="button" onClick=${() => ask("invite")}><${Icon} name="phone" />${t("page-house-invite")}</button>
<//>`;

/** The score set right by hand, side by side. */
const SetScore = ({ state, ask, close }) => {
  const { view } = state, now = view.games || Object.values(view.captured);
  const [typed, setTyped] = useState([]), points = now.map((one, side) => typed[side] ?? String(one)), [reason, setReason] = useState("");
  const of = (side) => { const seats = (view.sides || []).flatMap((one, seat) => (one === side ? [seat] : [])); return view.captured ? playerName(state.seats, side, true) : seats.length ? seats.map((seat) => playerName(state.seats, seat)).join(" · ") : sideName(side); };
  const set = async (event) => { event.preventDefault(); if ((await ask("score", { points: points.map(Number), reason: reason.trim() })) !== undefined) close(); };
  return html`<${Sheet} label=${t("page-score-title")} close=${close}><form class="stack" onSubmit=${set}><p class="soft">${t("page-score-how")}</p>
    ${points.map((value, side) => html`<div class="field" key=${side}><label for=${`score-${side}`}>${of(side)}</label>
      <input id=${`score-${side}`} type="number" inputmode="numeric" min="0" max="9999" required value=${value} onInput=${(event) => setTyped(Object.assign([...typed], { [side]: event.target.value }))} /></div>`)}
    <div class="field"><label for="score-reason">${t("page-score-reason")}</label><input id="score-reason" maxlength="120" autocomplete="off" value=${reason} onInput=${(event) => setReason(event.target.value)} /></div>
    <button class="button main wide" data-test="score-set">${t("page-save")}</button></form><//>`;
};

/** Who sits where: so many, and their names, typed once and offered the next time. */
const Seats = ({ house, draft, set }) => {
  const count = house.players[0], names = draft.seats || house.seats, [at, setAt] = useState(0);
  const name = (seat, text) => set({ seats: Array.from({ length: Math.max(count, names.length) }, (_, one) => (one === seat ? text : names[one] || "")) });
  const put = (text) => { name(at, text); setAt(Math.min(at + 1, count - 1)); };
  return html`<h3>${t("page-house-players")}</h3><${Choices} label=${t("page-house-players")} values=${house.players[1]} value=${count} choose=${(players) => set({ players })} />
    ${Array.from({ length: count }, (_, seat) => html`<div class="field" key=${seat}><label for=${`seat-${seat}`}>${playerName([], seat, house.grid)}</label>
      <input id=${`seat-${seat}`} maxlength="16" autocomplete="off" value=${givenName(names, seat)} onFocus=${() => setAt(seat)} onInput=${(event) => name(seat, event.target.value)} /></div>`)}
    ${house.known_names.length > 0 && html`<div class="row" role="group" aria-label=${t("page-house-names")}>${house.known_names.filter((one) => !names.includes(one)).map((one) => html`<button type="button" class="button quiet" key=${one} onClick=${() => put(one)}>${one}</button>`)}</div>`}`;
};

/** A new table, from nothing. Nothing is kept before "Begin". */
export const SetUp = ({ ask, more, close, link, state }) => {
  const [house, setHouse] = useState(null), [draft, setDraft] = useState({}), [step, setStep] = useState(0), [tried, setTried] = useState(false);
  /** What is chosen, looked at by the device and kept by nobody. Names are typed letter by letter: they are looked at in the end. */
  const load = async ({ seats, ...changes }) => { const found = await ask("house", { draft: changes }); if (found) { setHouse(found); setDraft((old) => ({ ...changes, ...(old.seats && { seats: old.seats }) })); } return Boolean(found); };
  useEffect(() => { load({}); }, []);
  useEffect(() => { link.look(step === 4 ? ["camera"] : [], "setup"); return () => link.look([], "setup"); }, [step]);
  const spoken = async (language) => { const found = await fetched(`/words/${language}.js`); speak(found.default, language); document.documentElement.lang = language; };
  const leave = async () => { if (draft.language && state?.language) await spoken(state.language); close(); };
  if (!house) return html`<${Sheet} label=${t("page-setup-title")} close=${leave}><p role="status">${t("page-loading")}</p><//>`;
  const goOn = () => setStep(step + 1), set = (changes) => (changes.seats ? setDraft((old) => ({ ...old, ...changes })) : load({ ...draft, ...changes }));
  const choose = (name) => async (value) => { if (name === "language") await spoken(value); if (await set({ [name]: value })) goOn(); };
  const begin = async () => {
    const seats = draft.seats?.slice(0, house.players[0]).map((one, at) => one.trim() || playerName([], at));
    const kept = { ...draft, ...(seats && { seats: draft.seats.some((one) => one.trim()) ? seats : [] }) };
    if (await ask("change", kept) && await ask("act", { action: "new_match" })) { close(); location.hash = "#/table"; }
  };
  const next = html`<button class="button main wide" data-test="setup-next" onClick=${goOn}>${t("page-setup-next")}</button>`;
  const steps = [
    html`<h3>${t("page-house-language")}</h3><${Choices} label=${t("page-house-language")} values=${house.language[1]} value=${house.language[0]} choose=${choose("language")} />`,
    html`<h3>${t("page-house-game")}</h3><${Choices} label=${t("page-house-game")} values=${house.game[1]} value=${house.game[0]} choose=${choose("game")} />`,
    html`<${Seats} house=${house} draft=${draft} set=${set} />${next}`,
    html`<h3>${t("page-setup-try")}</h3><button class="button" data-test="setup-try" onClick=${async () => setTried(Boolean(await ask("act", { action: "try_out" })))}><${Icon} name="light" />${t("page-setup-try_now")}</button><p role="status">${tried ? t("page-setup-tried") : ""}</p>
      <div class="field"><span class="label">${t("page-house-sound")}</span><${Choices} label=${t("page-house-sound")} values=${[[true, t("page-yes")], [false, t("page-no")]]} value=${house.sound} choose=${(sound) => set({ sound })} /></div>${next}`,
    html`<h3>${t("page-setup-camera")}</h3><p class="small soft">${t("page-setup-lens")}</p><${Picture} more=${more} house=${house} change=${set} /><${Verdicts} aim=${more.aim} grid=${house.grid} situation=${state?.situation} /><button class="button main wide" onClick=${goOn}>${t("page-setup-seen")}</button>`,
    html`<p>${t("page-setup-ready")}</p><button class="button main wide" data-test="setup-start" onClick=${begin}>${t("page-setup-start")}</button>`,
  ];
  return html`<${Sheet} label=${t("page-setup-title")} close=${leave}>
    <p class="small soft">${t("page-setup-step", { number: step + 1, of: steps.length })}</p><div class="stack" data-test=${`setup-${step}`}>${steps[step]}</div>
    ${step > 0 && html`<button class="button quiet" onClick=${() => setStep(step - 1)}><${Icon} name="back" />${t("page-setup-back")}</button>`}
  <//>`;
};

/** The language of this phone alone. */
const Language = ({ own, speakHere }) => html`<${Panel} title=${t("page-house-this_phone")}>
  <div class="field"><span class="label">${t("page-house-language")}</span><${Choices} label=${t("page-house-own_language")} values=${[["", t("page-house-as_table")], ...languages()]} value=${own} choose=${speakHere} /></div>
  <div class="field"><span class="label">${t("page-house-letters")}</span><${Choices} label=${t("page-house-letters")} values=${[["", t("page-house-as_language")], ["KQJ", "K Q J"], ["RDV", "R D V"]]} value=${ownLetters()} choose=${(letters) => { chooseLetters(letters); speakHere(own); }} /></div>
  <a class="button" href="#/screen"><${Icon} name="full" />${t("page-house-screen")}</a><//>`;

export const View = ({ state, ask, paired, wantPair, more, link, own, speakHere, there }) => {
  const [house, change, load] = useHouse(ask, paired, state.language, there);
  const [sure, setSure] = useState(null), [setting, setSetting] = useState(false), [scoring, setScoring] = useState(false);
  const enrolling = more.enrol || (more.enrol === undefined && house?.enrol);
  useEffect(() => { link.look(enrolling ? ["camera"] : [], "deck"); return () => link.look([], "deck"); }, [Boolean(enrolling)]);
  if (!paired) return html`<div class="stack panel"><h2>${t("page-tabs-house")}</h2><p>${t("page-house-pair")}</p><button class="button main" onClick=${wantPair}><${Icon} name="lock" />${t("page-pair-title")}</button><${Language} own=${own} speakHere=${speakHere} /></div>`;
  if (!house) return html`<p class="waits" role="status">${t("page-loading")}</p>`;
  const goesOn = state.events > 0 && state.view.winner === undefined;
  const act = (action) => ask("act", { action });
  return html`<div class="columns">
    <${Panel} title=${t("page-house-match")}>
      <div class="field"><span class="label">${t("page-house-game")}</span><${Choices} label=${t("page-house-game")} values=${house.game[1]} value=${house.game[0]} choose=${(game) => change({ game })} /></div>
      <div class="field"><span class="label">${t("page-house-players")}</span><${Choices} label=${t("page-house-players")} values=${house.players[1]} value=${house.players[0]} choose=${(players) => change({ players })} /></div>
      ${house.against !== null && html`<div class="field"><span class="label">${t("page-house-against")}</span><p class="small soft">${t("page-house-against_how")}</p><${Choices} label=${t("page-house-against")} values=${house.levels.map((level) => [level, level ? t("page-house-against_level", { level }) : t("page-house-against_off")])} value=${house.against} choose=${(against) => change({ against })} /></div>`}
      ${house.against > 0 && html`<div class="field"><span class="label">${t("page-house-device_begins")}</span><${Choices} label=${t("page-house-device_begins")} values=${[[true, t("page-yes")], [false, t("page-no")]]} value=${house.device_begins} choose=${(device_begins) => change({ device_begins })} /></div>`}
      ${house.device_seat[1].length > 0 && html`<div class="field"><span class="label">${t("page-house-device_seat")}</span><p class="small soft">${t("page-house-device_seat_how")}</p><${Choices} label=${t("page-house-device_seat")} values=${house.device_seat[1]} value=${house.device_seat[0]} choose=${(device_seat) => change({ device_seat })} /></div>`}
      ${house.head_start[1].length > 1 && html`<div class="field"><span class="label">${t("page-house-head_start")}</span><p class="small soft">${t("page-house-head_start_how")}</p><${Choices} label=${t("page-house-head_start")} values=${house.head_start[1]} value=${house.head_start[0]} choose=${(head_start) => change({ head_start })} />
        ${house.head_start[0] > 0 && html`<${Choices} label=${t("page-house-head_start_side")} values=${house.head_start_side[1]} value=${house.head_start_side[0]} choose=${(head_start_side) => change({ head_start_side })} />`}</div>`}
      ${goesOn && html`<p class="note small">${t("page-house-goes_on")}</p>`}
      <div class="row"><button class="button main" onClick=${() => (goesOn ? setSure("new_match") : act("new_match"))}>${t("page-house-new_match")}</button>
        ${!house.grid && ["play", "trick_complete"].includes(state.view.phase) && html`<button class="button" onClick=${() => setSure("void_deal")}>${t("page-house-void_deal")}</button>`}
        ${(state.view.games || state.view.captured) && html`<button class="button" onClick=${() => setScoring(true)} data-test="score">${t("page-score-title")}</button>`}
        <button class="button" onClick=${() => setSetting(true)}>${t("page-setup-title")}</button></div>
    <//>
    <${Names} house=${house} change=${change} />
    <${Rules} house=${house} change=${change} />
    <${Panel} title=${t("page-house-device")}>
      <div class="field"><span class="label">${t("page-house-language")}</span><${Choices} label=${t("page-house-language")} values=${house.language[1]} value=${house.language[0]} choose=${(language) => change({ language })} /></div>
      <div class="field"><label for="brightness">${t("page-house-brightness")}</label><input id="brightness" type="range" min="0.05" max="1" step="0.05" value=${house.brightness[0]} onChange=${(event) => change({ brightness: Number(event.target.value) })} /></div>
      <div class="field"><span class="label">${t("page-house-sound")}</span><${Choices} label=${t("page-house-sound")} values=${[[true, t("page-yes")], [false, t("page-no")]]} value=${house.sound} choose=${(sound) => change({ sound })} /></div>
      ${house.power && html`<div class="row"><button class="button" onClick=${() => setSure("restart")}><${Icon} name="turn" />${t("page-house-restart")}</button><button class="button danger" onClick=${() => setSure("off")}><${Icon} name="power" />${t("page-house-off")}</button></div>`}
    <//>
    <${Broker} house=${house} change=${change} />
    ${house.wifi && house.owner && html`<${WiFi} ask=${ask} more=${more} there=${there} />`}
    <${PhonesPanel} house=${house} ask=${ask} load=${load} />
    <${Language} own=${own} speakHere=${speakHere} />
    ${!house.grid && html`<${Deck} enrol=${house.enrol} ask=${ask} more=${more} />`}
    <${Doctor} ask=${ask} />
    ${house.owner && html`<${OwnVoice} ask=${ask} language=${state.language} />`}
    <${Recordings} house=${house} change=${change} ask=${ask} />
    <${About} owner=${house.owner} about=${house.about} update=${house.update} ask=${ask} load=${load} />
    ${setting && html`<${SetUp} state=${state} ask=${ask} more=${more} link=${link} close=${() => { setSetting(false); load(); }} />`}
    ${scoring && html`<${SetScore} state=${state} ask=${ask} close=${() => setScoring(false)} />`}
    ${sure && html`<${Sure} title=${t(`page-house-${sure}`)} text=${t(`page-house-sure_${sure}`)} close=${() => setSure(null)} yes=${() => (["off", "restart"].includes(sure) ? ask("power", { action: sure }) : act(sure))} />`}
  </div>`;
};
export { cardName };
