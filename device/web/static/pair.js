// Pairing: the six digits that the table's display shows make this a phone that may change things.
import { Icon, Sheet, html, t, useEffect, useLayoutEffect, useRef, useState } from "/w/ui.js";

const MOST_DIGITS = 9; // Of any code: so many are kept while the device has not said yet how many there are.

export const post = async (path, body = {}) => {
  const answer = await fetch(path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return { ok: answer.ok, ...(await answer.json().catch(() => ({}))) };
};

/** Why a code did not pair this phone, in words; nothing where a button is to be pressed at the table first. */
export const whyNotPaired = (answer) => answer.closed ? t("page-pair-closed", { seconds: answer.closed }) : answer.wrong ? t("page-pair-wrong") : answer.full ? t("page-pair-full") : answer.press ? "" : t("page-refused-away");

/** The sheet where the code is typed. paired: called once it was right. how: where the code is, if not on a table. */
export const Pair = ({ close, paired, how }) => {
  const [code, showCode] = useState("");
  const typed = useRef(""), needed = useRef(0); // Digits may come faster than they are drawn, or than the device answers.
  const setCode = (now) => { typed.current = now; showCode(now); };
  const [told, setTold] = useState("");
  const [wrong, setWrong] = useState(0), [digits, setDigits] = useState(0), [press, setPress] = useState(false);
  const [seconds, setSeconds] = useState(0);
  const begin = async () => {
    const answer = await post("/pair/begin").catch(() => ({ away: true }));
    const early = !needed.current;
    needed.current = answer.digits || needed.current || 6;
    setDigits(needed.current);
    setPress(Boolean(answer.press));
    if (answer.closed || answer.away) setTold(answer.closed ? t("page-pair-closed", { seconds: answer.closed }) : t("page-refused-away"));
    if (answer.closed) setSeconds(answer.closed);
    if (early && typed.current.length >= needed.current) send(typed.current.slice(0, needed.current));
  };
  useEffect(() => { begin(); }, []);
  useEffect(() => {
    if (!seconds) return undefined;
    const timer = setTimeout(() => { setSeconds(seconds - 1); if (seconds === 1) { setTold(""); begin(); } else setTold(t("page-pair-closed", { seconds: seconds - 1 })); }, 1000);
    return () => clearTimeout(timer);
  }, [seconds]);
  const type = (digit) => {
    if (typed.current.length >= (needed.current || MOST_DIGITS)) return;
    setCode(typed.current + digit);
    if (typed.current.length === needed.current) send(typed.current);
  };
  const send = async (whole) => {
    const answer = await post("/pair", { code: whole }).catch(() => ({ away: true }));
    if (answer.ok) return paired();
    setCode("");
    setWrong((times) => times + 1);
    if (answer.closed) setSeconds(answer.closed);
    setTold(whyNotPaired(answer));
    if (answer.wrong || answer.press) begin();
    return undefined;
  };
  useLayoutEffect(() => { // Not after the next frame: a key that came between was heard by nobody.
    const keys = (event) => {
      if (/^\d$/.test(event.key)) type(event.key);
      else if (event.key === "Backspace") setCode(typed.current.slice(0, -1));
    };
    addEventListener("keydown", keys);
    return () => removeEventListener("keydown", keys);
  });
  return html`<${Sheet} label=${t("page-pair-title")} close=${close}>
    <p>${press ? t("page-pair-press") : how || t("page-pair-how")}</p>
    <div class="digits ${wrong ? "shake" : ""}" key=${wrong} role="status" aria-label=${t("page-pair-typed", { number: code.length })}>
      ${Array.from({ length: digits }, (_, at) => html`<span class=${at === code.length ? "next" : ""} aria-hidden="true">${code[at] || ""}</span>`)}
    </div>
    <p role="alert" class="small" data-test="pair-told">${told}</p>
    ${digits > 0 && html`<div class="keypad">
      ${[..."123456789"].map((digit) => html`<button class="button" onClick=${() => type(digit)} disabled=${seconds > 0}>${digit}</button>`)}
      <button class="button quiet" onClick=${begin} aria-label=${t("page-pair-again")} title=${t("page-pair-again")} disabled=${seconds > 0}><${Icon} name="turn" /></button>
      <button class="button" onClick=${() => type("0")} disabled=${seconds > 0}>0</button>
      <button class="button quiet" onClick=${() => setCode(typed.current.slice(0, -1))} aria-label=${t("page-pair-erase")}><${Icon} name="back" /></button>
    </div>`}
  <//>`;
};

/** This phone is paired no more. */
export const leave = () => post("/leave");
