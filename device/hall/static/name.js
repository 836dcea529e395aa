// Whose phone it is, asked as soon as it was paired: the name stands beside everything that is changed with it.
import { Sheet, html, t, useState } from "/w/ui.js";

export const Name = ({ close, ask, tell }) => {
  const [name, setName] = useState("");
  const save = async (event) => { event.preventDefault(); if ((await ask("me", { name })) !== undefined) { tell(t("hall-phones-hello", { name: name.trim() })); close(); } };
  return html`<${Sheet} label=${t("hall-phones-who_are_you")} close=${close}><form class="stack" onSubmit=${save}>
    <label class="field"><span class="label">${t("hall-phones-my_name")}</span><input class="text" autofocus autocomplete="name" maxlength="40" value=${name} onInput=${(event) => setName(event.target.value)} /></label>
    <p class="small soft">${t("hall-phones-name_about")}</p>
    <button class="button main" disabled=${!name.trim()}>${t("hall-save")}</button></form><//>`;
};
