// Which phone may what, whose it is, and who changed what in the hall.
import { Choices, Icon, dated, html, t, useEffect, useKept, useState } from "/w/ui.js";

const P = (name, facts) => t(`hall-phones-${name}`, facts);
const when = (at) => dated(at * 1000, { dateStyle: "short", timeStyle: "short" });

const Named = ({ name, save, label }) => {
  const [now, setNow] = useKept(name);
  return html`<form class="row" onSubmit=${(event) => { event.preventDefault(); save(now); }}><label class="field grow"><span class="label">${label}</span><input class="text" value=${now} maxlength="40" onInput=${(event) => setNow(event.target.value)} /></label><button class="button" disabled=${!now.trim() || now === name}>${t("hall-save")}</button></form>`;
};

export const Phones = ({ me, there, ask, tell }) => {
  const [phones, setPhones] = useState(null), [log, setLog] = useState(null), [again, setAgain] = useState(0);
  const owns = me.role === "owner", decides = owns || me.role === "arbiter";
  useEffect(() => { if (!there) return; if (owns) ask("phones", {}).then((value) => value && setPhones(value)); if (decides) ask("log", {}).then((value) => value && setLog(value)); }, [again, me.role, there]);
  const act = async (what, facts) => { if ((await ask(what, facts)) !== undefined) { tell(t("hall-saved")); setAgain(again + 1); } };
  return html`<div class="stack narrow"><h2>${t("hall-nav-phones")}</h2>
    <section class="panel stack"><h3>${P("mine")}</h3><p><b>${t(`hall-role-${me.role}`)}</b> ${t(`hall-role_about-${me.role}`)}</p><${Named} name=${me.name ?? ""} label=${P("my_name")} save=${(name) => act("me", { name })} /><p class="small soft">${P("name_about")}</p></section>
    ${owns && phones && html`<section class="panel stack"><h3>${P("all")}</h3><ul class="stack">${phones.map((one) => html`<li class="stack phone" key=${one.id} data-test="phone"><b>${one.name}</b>${one.mine && html` <span class="badge">${P("this")}</span>`}
      <div class="row"><${Choices} label=${P("role_of", { name: one.name })} value=${one.role} choose=${(role) => act("role", { id: one.id, role })} values=${["looks", "arbiter", "owner"].map((role) => [role, t(`hall-role-${role}`)])} />
      ${!one.mine && html`<button class="button quiet" aria-label=${P("forget", { name: one.name })} onClick=${() => act("forget_phone", { id: one.id })}><${Icon} name="bin" /></button>`}</div></li>`)}</ul></section>`}
    ${log && html`<section class="panel"><h3>${P("log")}</h3><ol class="said">${log.changes.map((one, at) => html`<li key=${at}><span class="soft small">${when(one.at)}</span> <b>${one.who}</b> · ${one.what}${one.why && html` <q>${one.why}</q>`}</li>`)}</ol>${log.older > 0 && html`<p class="small soft">${t("hall-older", { number: log.older })}</p>`}</section>`}</div>`;
};
