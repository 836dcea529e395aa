// The phone says aloud what happens, as much of it as its owner wants. The device makes the lines, in this phone's language.
import { html, t, useEffect, useRef, useState } from "/w/ui.js";

const WANTED = ["", "alerts", "game", "everything"], MOST_KIND = { "": -1, alerts: 1, game: 2, everything: 3 };
const ALERT = 0, CALM = 1, QUICK = 1.8;
const VOICES = { fr: "fr-FR", en: "en-GB", shi: "sw" };
const KEPT = "hisabu-voice";

const kept = () => { try { return localStorage.getItem(KEPT) || ""; } catch { return ""; } };
const keep = (wanted) => { try { localStorage.setItem(KEPT, wanted); } catch { /* It is asked again next time. */ } };

/** Says lines one after the other: quicker where several wait, and an alert at once. */
const mouth = (speech) => {
  let waiting = [], now = null;
  const next = () => {
    now = waiting.shift() || null;
    if (!now) return;
    const mine = now, rate = waiting.length ? QUICK : CALM;
    let left = now.said.length;
    for (const [language, text] of now.said) {
      const part = Object.assign(new SpeechSynthesisUtterance(text), { lang: VOICES[language] || language, rate });
      part.onend = part.onerror = () => { left -= 1; if (!left && now === mine) next(); };
      speech.speak(part);
    }
  };
  return {
    say(line) {
      if (line.kind === ALERT && now && now.kind !== ALERT) {
        waiting = [line, now, ...waiting];
        now = null;
        speech.cancel();
        next();
        return;
      }
      waiting.push(line);
      if (!now) next();
    },
    silence() { waiting = []; now = null; speech.cancel(); },
  };
};

export const Speak = ({ speech: told, link }) => {
  const [wanted, setWanted] = useState(kept);
  const said = useRef({ number: null, asked: "", mouth: null });
  const speech = window.speechSynthesis;
  useEffect(() => { link.look(wanted ? ["speech"] : [], "voice"); return () => link.look([], "voice"); }, [wanted]);
  useEffect(() => {
    if (!told) return;
    const at = said.current, { lines } = told, newest = lines.length ? lines.at(-1).number : at.number || 0;
    at.mouth ||= speech && mouth(speech);
    if (at.number !== null && wanted && at.mouth) {
      const fresh = lines.filter((line) => line.number > at.number && line.kind <= MOST_KIND[wanted]);
      for (const line of fresh) at.mouth.say(line);
      if (told.asked[0] && String(told.asked) !== at.asked) at.mouth.say({ said: told.asked, kind: 1 });
    }
    at.number = newest;
    at.asked = String(told.asked);
  }, [told, wanted]);
  if (!speech) return null;
  const choose = (event) => { keep(event.target.value); setWanted(event.target.value); if (!event.target.value) { said.current.mouth?.silence(); said.current.number = null; } };
  return html`<label class="field small">${t("page-voice-here")} <select value=${wanted} onChange=${choose} data-test="voice">
    ${WANTED.map((one) => html`<option value=${one}>${t(`page-voice-${one || "off"}`)}</option>`)}</select></label>`;
};
