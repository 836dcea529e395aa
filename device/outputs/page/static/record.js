// The family's own voice: each line said into this phone's recorder, listened to, deleted. The phone decodes what its
// recorder wrote, whatever that is, and sends a plain WAV: the device decodes no strangers' files.
import { Card } from "/w/cards.js";
import { Choices, Icon, Sheet, cardSign, fine, html, languages, t, useEffect, useState } from "/w/ui.js";

const RATE = 22050, QUIET = 0.03, SILENT = 0.01, PEAK = 0.9, PAD_S = 0.03;

/** One channel, cut where it is quiet before and after, as loud as all others. Null: there is nothing to be heard. */
const trimmed = (sound) => {
  const channels = Array.from({ length: sound.numberOfChannels }, (_, one) => sound.getChannelData(one));
  const wave = channels[0].map((_, at) => channels.reduce((sum, one) => sum + one[at], 0) / channels.length);
  const loudest = wave.reduce((most, one) => Math.max(most, Math.abs(one)), 0);
  if (loudest < SILENT) return null;
  const heard = (one) => Math.abs(one) > QUIET * loudest, pad = Math.round(PAD_S * RATE);
  const from = Math.max(0, wave.findIndex(heard) - pad), to = Math.min(wave.length, wave.findLastIndex(heard) + pad);
  return wave.slice(from, to).map((one) => (one * PEAK) / loudest);
};
const wav = (wave) => {
  const data = new DataView(new ArrayBuffer(44 + 2 * wave.length)), text = (at, word) => [...word].forEach((sign, one) => data.setUint8(at + one, sign.charCodeAt(0)));
  text(0, "RIFF"); data.setUint32(4, 36 + 2 * wave.length, true); text(8, "WAVEfmt "); data.setUint32(16, 16, true);
  data.setUint16(20, 1, true); data.setUint16(22, 1, true); data.setUint32(24, RATE, true); data.setUint32(28, 2 * RATE, true);
  data.setUint16(32, 2, true); data.setUint16(34, 16, true); text(36, "data"); data.setUint32(40, 2 * wave.length, true);
  wave.forEach((one, at) => data.setInt16(44 + 2 * at, Math.round(Math.max(-1, Math.min(1, one)) * 32767), true));
  return new Blob([data], { type: "audio/wav" });
};
const decoded = async (bytes) => new OfflineAudioContext(1, 1, RATE).decodeAudioData(bytes);

/** One line: recorded, listened to, deleted. */
const Line = ({ line, language, send, remove, close }) => {
  const [told, setTold] = useState(""), [busy, setBusy] = useState(false);
  const take = async (event) => {
    const [file] = event.target.files;
    event.target.value = "";
    if (!file) return;
    setBusy(true);
    setTold("");
    try {
      const wave = trimmed(await decoded(await file.arrayBuffer()));
      setTold(wave ? (await send(line.name, wav(wave))) || t("page-clips-recorded") : t("page-clips-silent"));
    } catch { setTold(t("page-clips-unread")); }
    setBusy(false);
  };
  const listen = async () => {
    const context = new AudioContext(), source = context.createBufferSource();
    source.buffer = await context.decodeAudioData(await (await fetch(`/voice/${language}/${line.name}.wav`)).arrayBuffer());
    source.connect(context.destination);
    source.onended = () => context.close();
    source.start();
  };
  return html`<${Sheet} label=${t("page-clips-title")} close=${close}>
    <p class="small soft">${t("page-clips-say")}</p><p class="whose">${fine(line.say)}</p>
    <label class="button main wide" aria-disabled=${busy}><input class="hidden-words" type="file" accept="audio/*" capture disabled=${busy} onChange=${take} data-test="record" />${t("page-clips-record")}</label>
    ${line.there && html`<div class="row"><button class="button" onClick=${listen}><${Icon} name="play" />${t("page-clips-listen")}</button>
      <button class="button quiet" onClick=${() => remove(line.name)}><${Icon} name="bin" />${t("page-clips-delete")}</button></div>`}
    <p role="status" data-test="clip-told">${busy ? t("page-loading") : told}</p><//>`;
};

export const OwnVoice = ({ ask, language: first }) => {
  const [language, setLanguage] = useState(first), [lines, setLines] = useState(null), [open, setOpen] = useState("");
  useEffect(() => { let gone = false; ask("clips", { language }).then((found) => !gone && found && setLines(found)); return () => { gone = true; }; }, [language]);
  const send = async (name, sound) => {
    const answer = await fetch(`/voice/${language}/${name}.wav`, { method: "POST", headers: { "Content-Type": "audio/wav" }, body: sound }).catch(() => null);
    if (!answer?.ok) { const said = await answer?.json().catch(() => null); return said?.why || t("page-refused-unknown"); }
    setLines(await ask("clips", { language }) || lines);
    return "";
  };
  const remove = async (name) => setLines(await ask("delete_clip", { language, name }) || lines);
  const line = lines?.find((one) => one.name === open);
  const group = (title, start) => html`<div class="stack"><h3>${t(`page-clips-${title}`)}</h3><div class=${title === "cards" ? "picker clips" : "row"}>${lines.filter((one) => start.some((some) => one.name.startsWith(some))).map((one) => html`<button class=${title === "cards" ? "" : "button clip"} key=${one.name} aria-label=${`${t("page-clips-record")} · ${title === "cards" ? `${cardSign(one.name.slice(5))} ` : ""}${one.say}${one.there ? ` · ${t("page-clips-recorded")}` : ""}`} onClick=${() => setOpen(one.name)} data-clip=${one.name}>
    ${title === "cards" ? html`<${Card} card=${one.name.slice(5)} mini named=${false} />` : html`<span>${fine(one.say)}</span>`}${one.there && html`<span class="done" aria-hidden="true">✓</span>`}</button>`)}</div></div>`;
  return html`<section class="panel stack" data-test="own-voice"><h2>${t("page-clips-title")}</h2><p class="small soft">${t("page-clips-how")}</p>
    <${Choices} label=${t("page-house-language")} values=${languages()} value=${language} choose=${setLanguage} />
    ${lines && html`<p class="small" role="status">${t("page-clips-counted", { number: lines.filter((one) => one.there).length })}</p>${group("players", ["seat-"])}${group("cards", ["card-"])}
      <details><summary>${t("page-clips-others")}</summary>${group("others", ["trick", "alert-"])}</details>`}
    ${line && html`<${Line} key=${line.name} line=${line} language=${language} send=${send} remove=${remove} close=${() => setOpen("")} />`}</section>`;
};
