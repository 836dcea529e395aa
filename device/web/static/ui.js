// What every page draws with: the library, words, icons, sheets.
import { html, useEffect, useLayoutEffect, useRef, useState } from "/w/vendor/preact-htm.js";
import { t } from "/w/words.js";
export * from "/w/vendor/preact-htm.js";
export * from "/w/words.js";

const ICONS = {
  table: "M4 7h16v10H4z M8 7V4 M16 7V4 M8 20v-3 M16 20v-3",
  log: "M8 6h12 M8 12h12 M8 18h12 M4 6h.01 M4 12h.01 M4 18h.01",
  aim: "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8 M12 2v4 M12 18v4 M2 12h4 M18 12h4",
  house: "M4 11l8-7 8 7v9H4z M10 20v-6h4v6",
  matches: "M6 4h12v16H6z M9 8h6 M9 12h6 M9 16h3",
  phone: "M8 3h8v18H8z M11 18h2",
  undo: "M9 14l-5-5 5-5 M4 9h10a6 6 0 0 1 0 12h-3",
  redo: "M15 14l5-5-5-5 M20 9H10a6 6 0 0 0 0 12h3",
  check: "M4 13l5 5L20 6", close: "M6 6l12 12 M18 6L6 18", back: "M15 5l-7 7 7 7", forward: "M9 5l7 7-7 7",
  turn: "M20 12a8 8 0 1 1-3-6 M20 3v5h-5", full: "M4 9V4h5 M20 9V4h-5 M4 15v5h5 M20 15v5h-5",
  bin: "M5 7h14 M9 7V4h6v3 M7 7l1 13h8l1-13", save: "M12 4v11 M7 11l5 5 5-5 M4 20h16",
  power: "M12 3v9 M7 6a8 8 0 1 0 10 0", play: "M8 5l11 7-11 7z", warning: "M12 4L2 20h20z M12 10v5 M12 17.5v.01",
  light: "M12 7a5 5 0 1 0 0 10 5 5 0 0 0 0-10 M12 2v1 M12 21v1 M2 12h1 M21 12h1", lock: "M6 11h12v9H6z M8 11V8a4 4 0 0 1 8 0v3",
};
/** A sign in a line. */
export const Icon = ({ name }) => html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]} /></svg>`;

export const SIDE_SHAPES = [
  "M12 1.5a10.5 10.5 0 1 0 0 21 10.5 10.5 0 0 0 0-21", "M12 2l11.5 20.5H.5z", "M2.5 2.5h19v19h-19z", "M12 .5L22.5 12 12 23.5 1.5 12z",
  "M12 .8l3.4 7.6 8.2.9-6.1 5.6 1.7 8.1L12 18.9 4.8 23l1.7-8.1L.4 9.3l8.2-.9z", "M8 1h8v7h7v8h-7v7H8v-7H1V8h7z",
];
/** The sign of a side: the same shape and colour as its lamps. */
export const Side = ({ side }) => html`<span class="side side-${side % 6}" aria-hidden="true"><svg viewBox="0 0 24 24"><path fill="currentColor" stroke="#0006" stroke-width="1" d=${SIDE_SHAPES[side % 6]} /></svg></span>`;
/** A sentence as it is set: a capital first, and no line that begins with a sign that French puts a space before. */
export const fine = (text) => text && (text[0].toUpperCase() + text.slice(1)).replace(/ ([;:!?»])/g, "\u00a0$1").replace(/« /g, "«\u00a0").replace(/ ([♠♥♦♣])/g, "\u00a0$1");

const AGAIN_MS = 2000, SELDOM_MS = 30_000;
const coming = new Map(), there = new Map();
const tried = (path, failed, again = 0) => import(again ? `${path}?${again}` : path).then(
  (module) => { there.set(path, module); return module; },
  async (error) => {
    console.warn(error);
    failed();
    await new Promise((done) => setTimeout(done, Math.min(AGAIN_MS * (again + 1), SELDOM_MS)));
    return tried(path, failed, again + 1);
  });
/** A module of the page, asked for until it is there. failed: told whenever it did not come. */
export const fetched = (path, failed = () => {}) => { if (!coming.has(path)) coming.set(path, tried(path, failed)); return coming.get(path); };
/** The same for what is drawn with it; nothing until it is there, and where no path is given. */
export const useModule = (path) => {
  const [, setCame] = useState("");
  useEffect(() => {
    if (!path) return undefined;
    let gone = false;
    fetched(path).then(() => !gone && setCame(path));
    return () => { gone = true; };
  }, [path]);
  return there.get(path);
};
/** What is asked before the line is up for the first time waits for that. */
export const opening = () => { let up; const first = new Promise((done) => { up = done; }); return { first, up }; };

/** What a form holds: what is kept, whenever that changes, then what is typed. Before the next key, or on a slow phone that would go again. */
export const useKept = (kept, key = kept) => {
  const [now, setNow] = useState(kept);
  useLayoutEffect(() => setNow(kept), [key]);
  return [now, setNow];
};

// What is told stands in the dialog on top: all that lies behind is neither seen nor read aloud.
const tops = [document.body], toast = document.createElement("p");
for (const [name, value] of [["class", "toast"], ["role", "status"], ["data-test", "told"]]) toast.setAttribute(name, value);
let toTell = "", awayText = "";
const tell = () => {
  const top = tops.at(-1), text = toTell || (top === document.body ? "" : awayText);
  if (toast.parentNode !== top) top.append(toast);
  if (toast.textContent === text) return;
  toast.replaceChildren(...(text ? [Object.assign(document.createElement("span"), { textContent: text })] : []));
};
/** Tells something for a while. away: what the page itself says while there is no line; a dialog hides it. */
export const useTold = (text, away) => useEffect(() => { [toTell, awayText] = [text, away]; tell(); }, [text, away]);

/** A dialog that is up before the next key counts: a slow phone would give that to what lies behind. */
export const useDialog = () => {
  const at = useRef();
  useLayoutEffect(() => {
    const one = at.current;
    if (!one.open) one.showModal();
    tops.push(one);
    tell();
    return () => {
      tops.splice(tops.indexOf(one), 1);
      tell();
      if (one.open) one.close();
    };
  }, []);
  return at;
};

/** A sheet over the page; closes with Escape, or where nothing is. */
export const Sheet = ({ label, close, children, plain }) => {
  const at = useDialog();
  return html`<dialog class="sheet" ref=${at} aria-label=${label} onCancel=${(event) => { event.preventDefault(); close(); }}
    onClick=${(event) => event.target === at.current && close()}>
    <div class="stack">
      ${!plain && html`<div class="row spread head"><h2>${label}</h2><button class="button quiet" onClick=${close} aria-label=${t("page-close")}><${Icon} name="close" /></button></div>`}
      ${children}
    </div>
  </dialog>`;
};

/** One of a few values, as buttons. */
export const Choices = ({ label, values, value, choose, disabled }) => html`<div class="choices" role="group" aria-label=${label}>
  ${values.map(([one, name]) => html`<button type="button" class="button" key=${String(one)} aria-pressed=${one === value ? "true" : "false"} disabled=${disabled} onClick=${() => choose(one)}>${name}</button>`)}
</div>`;

/** A time as this language writes it; a browser knows no Shimaore. `style` as of Intl.DateTimeFormat. */
export const dated = (time, style) => new Date(time).toLocaleString({ shi: "fr" }[document.documentElement.lang] ?? document.documentElement.lang, style);

const SECOND_TAP_MS = 400;
/** Whether what `key` names has stood there long enough to be read: a second tap was meant for what stood there before. */
export const useRead = (key) => {
  const [read, setRead] = useState(null);
  useEffect(() => { const timer = setTimeout(() => setRead(key), SECOND_TAP_MS); return () => clearTimeout(timer); }, [key]);
  return read === key;
};

/** A file that somebody takes along. */
export const download = (name, text, type = "application/json") => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
};
