// The matches that are kept: played again moment by moment, taken along, counted up over time.
import { Tonight } from "/card.js";
import { Played, SeenAt, isBoard } from "/follow.js";
import { Icon, Sheet, Side, alertText, dated, download, fine, gameName, html, playerName, saidLast, sideName, t, useEffect, useRef, useState } from "/w/ui.js";

const RUN_MS = 900, AGAIN_MS = 5000;
const PLOT_COLOURS = ["#1f6fff", "#ffb000", "#2fae66", "#d0449f", "#8d6bff", "#e8622c", "#17a2b8", "#8c564b"];

const outcome = (one) => (one.unreadable ? t(one.too_long ? "page-matches-too_long" : "page-matches-unreadable") : one.damaged ? t("page-matches-damaged")
  : one.winner !== null && one.winner !== undefined ? t("page-matches-won", { side: one.games ? sideName(one.winner) : playerName(one.seats, one.winner, true) })
  : one.open ? t("page-matches-goes_on") : t("page-matches-ended"));

/** One match again: a slider over its events, each drawn as the live table is. */
const Replay = ({ one, ask, back, paired }) => {
  const [count, setCount] = useState(null), [deals, setDeals] = useState([]), [at, setAt] = useState(0), [state, setState] = useState(null), [runs, setRuns] = useState(false);
  const moments = useRef({}), wanted = useRef(0), busy = useRef(false);
  useEffect(() => { ask("matches", { what: "open", number: one.number }).then((found) => { if (!found) return back(); moments.current[found.at] = found.first; wanted.current = found.at; setAt(found.at); setDeals(found.deals); setState(found.first); setCount(found.moments - 1); return undefined; }); }, [one.number]);
  /** Only the newest moment that was slid to is asked for. */
  const show = async (to) => {
    setAt(to);
    wanted.current = to;
    if (busy.current) return;
    busy.current = true;
    for (let now = null; now !== wanted.current;) {
      now = wanted.current;
      moments.current[now] ??= await ask("matches", { what: "moment", number: one.number, at: now });
      if (now === wanted.current && moments.current[now]) setState(moments.current[now]);
    }
    busy.current = false;
  };
  useEffect(() => {
    if (!runs) return undefined;
    if (at >= count) { setRuns(false); return undefined; }
    const timer = setTimeout(() => show(at + 1), RUN_MS);
    return () => clearTimeout(timer);
  }, [runs, at]);
  if (!state || count === null) return html`<p class="waits" role="status">${t("page-loading")}</p>`;
  return html`<div class="stack">
    <div class="row spread"><button class="button" onClick=${back}><${Icon} name="back" />${t("page-matches-title")}</button><h2>${t("page-matches-replaying", { number: one.number })}</h2></div>
    <div class="panel stack slider"><div class="row">
        <button class="button" aria-label=${t("page-matches-step_back")} disabled=${at === 0} onClick=${() => show(at - 1)}><${Icon} name="back" /></button>
        <button class="button" aria-label=${t(runs ? "page-matches-pause" : "page-matches-run")} onClick=${() => setRuns(!runs)}><${Icon} name=${runs ? "close" : "play"} /></button>
        <button class="button" aria-label=${t("page-matches-step_on")} disabled=${at === count} onClick=${() => show(at + 1)}><${Icon} name="forward" /></button>
        <span role="status" data-test="moment">${at === 0 ? t("page-matches-before") : t("page-matches-moment", { at, of: count })}</span></div>
      <input type="range" min="0" max=${count} value=${at} aria-label=${t("page-matches-slider")} onInput=${(event) => show(Number(event.target.value))} />
      ${deals.length > 1 && html`<nav class="jump" aria-label=${t("page-mend-deals")}>${deals.map((deal, one) => html`<button class="button" key=${deal} aria-label=${t("page-mend-deal_number", { number: one + 1 })} aria-current=${at >= deal && (one + 1 === deals.length || at < deals[one + 1]) ? "true" : null} onClick=${() => show(deal)}>${one + 1}</button>`)}</nav>`}
      ${saidLast(state).map((text) => html`<p key=${text}>${fine(text)}</p>`)}${state.time && html`<p class="small soft">${dated(state.time)}${state.by ? ` · ${state.by}` : ""}</p>`}</div>
    <div class="follow ${isBoard(state.view) ? "board" : "cards"}"><${Played} state=${state} /><div class="side-by">${state.alert && paired && html`<${SeenAt} key=${at} get=${() => ask("matches", { what: "pictures", number: one.number, at })} alert=${state.alert} />`}${state.alert && html`<p class="alarm-line"><${Icon} name="warning" />${fine(alertText(state))}</p>`}</div></div>
  </div>`;
};

/** Lines over the matches, by uPlot, which is only fetched here. */
let plotting = null;
const plotter = () => (plotting ??= new Promise((there, failed) => {
  const style = Object.assign(document.createElement("link"), { rel: "stylesheet", href: "/w/vendor/uplot.css" });
  const script = Object.assign(document.createElement("script"), { src: "/w/vendor/uplot.js", onload: () => there(globalThis.uPlot), onerror: failed });
  document.head.append(style, script);
}));
const Plot = ({ what, lines, matches }) => {
  const at = useRef();
  useEffect(() => {
    let plot = null, gone = false;
    const draw = (UPlot) => {
      if (gone) return;
      const ink = getComputedStyle(document.body).color, wide = at.current.clientWidth;
      const axis = { stroke: ink, grid: { stroke: "#8884" }, ticks: { stroke: "#8884" } };
      plot = new UPlot({ width: wide, height: Math.round(Math.min(260, wide * 0.55)), scales: { x: { time: false }, y: { range: (_, __, most) => [0, Math.max(5, most * 1.08)] } }, legend: { live: false }, cursor: { show: false },
        axes: [{ ...axis, values: (_, all) => all.map((one) => (Number.isInteger(one) ? matches[one] ?? "" : "")) }, axis],
        series: [{}, ...lines.map((line, number) => ({ label: line.name, stroke: PLOT_COLOURS[number % PLOT_COLOURS.length], width: 2.5, dash: number >= PLOT_COLOURS.length ? [6, 4] : undefined, points: { show: matches.length < 25 } }))] },
      [matches.map((_, number) => number), ...lines.map((line) => line.series[what])], at.current);
    };
    plotter().then(draw);
    const sizes = new ResizeObserver(() => plot?.setSize({ width: at.current.clientWidth, height: plot.height }));
    sizes.observe(at.current);
    return () => { gone = true; sizes.disconnect(); plot?.destroy(); };
  }, [what, lines]);
  return html`<figure class="plot"><figcaption>${t(`page-matches-${what}`)}</figcaption><div ref=${at} role="img" aria-label=${t("page-matches-plot", { what: t(`page-matches-${what}`), lines: lines.map((line) => `${line.name} ${line[what]}`).join(", ") })}></div></figure>`;
};
/** Players or pairs of the table of totals: those who played most. */
const MOST_LINES = 12;

const Statistics = ({ ask, there }) => {
  const [found, setFound] = useState(null), [kind, setKind] = useState("player");
  useEffect(() => { if (there) ask("matches", { what: "statistics" }).then((all) => all && setFound(all)); }, [there]);
  if (!found) return html`<p class="soft" role="status">${t("page-loading")}</p>`;
  const lines = found.lines.filter((line) => line.kind === kind), pairs = found.lines.some((line) => line.kind === "pair");
  if (!found.matches.length) return html`<p class="soft">${t("page-matches-no_statistics")}</p>`;
  return html`<div class="stack">
    ${pairs && html`<div class="choices" role="group">${["player", "pair"].map((one) => html`<button class="button" aria-pressed=${one === kind ? "true" : "false"} onClick=${() => setKind(one)}>${t(`page-matches-${one}s`)}</button>`)}</div>`}
    <table class="score counts"><thead><tr><th scope="col">${t("page-matches-name")}</th>${["matches", "won_lost", "games", "points", "faults"].map((what) => html`<th scope="col">${t(`page-matches-${what}`)}</th>`)}</tr></thead>
      <tbody>${lines.slice(0, MOST_LINES).map((line) => html`<tr key=${line.name}><th scope="row">${line.name.split(" · ").map((name, at) => html`${at ? " · " : ""}<span class="name">${name.startsWith("#") ? playerName([], Number(name.slice(1)) - 1) : name}</span>`)}<small class="soft">${[...[["longest", line.run], ["muzinga", line.muzinga], ["revokes", line.revokes]].filter(([, many]) => many).map(([what, many]) => `${t(`page-matches-${what}`)} ${many}`), ...Object.entries(line.ratings).map(([game, now]) => t("page-matches-rating", { game: gameName(game), ...now }))].join(" · ")}</small></th><td>${line.matches}</td><td>${line.won}–${line.lost}</td><td>${line.games}</td><td>${line.points}</td><td>${line.faults}</td></tr>`)}</tbody></table>
    ${lines.length > MOST_LINES && html`<p class="small soft">${t("page-matches-not_shown", { number: lines.length - MOST_LINES })}</p>`}
    ${["games", "points", "faults"].map((what) => html`<${Plot} key=${`${what} ${kind}`} what=${what} lines=${lines.slice(0, 8)} matches=${found.matches} />`)}
  </div>`;
};

export const View = ({ ask, paired, state, there }) => {
  const [all, setAll] = useState(null), [open, setOpen] = useState(null), [tonight, setTonight] = useState(null), [gone, setGone] = useState(null);
  useEffect(() => { if (there) ask("matches", { what: "list" }).then((found) => found && setAll(found)); }, [state.language, there]);
  useEffect(() => { if (there && all?.more) ask("matches", { what: "list" }).then((found) => (found ? setAll(found) : setTimeout(() => setAll({ ...all }), AGAIN_MS))); }, [all]);
  if (open) return html`<${Replay} one=${open} ask=${ask} paired=${paired} back=${() => setOpen(null)} />`;
  const take = async (one, what, ending, type) => { const text = await ask("matches", { what, number: one.number }); if (text) download(`hisabu-${one.number}-${one.day}${ending}`, text, type); };
  return html`<div class="columns">
    <div class="stack"><h2>${t("page-matches-title")}</h2>
      ${all === null ? html`<p class="soft" role="status">${t("page-loading")}</p>` : !all.matches.length && !all.more && html`<p class="soft">${t("page-matches-none")}</p>`}
      ${all?.matches.map((one) => html`<section class="panel stack match" key=${one.number}>
        <div class="row spread"><h3>${one.number} · ${one.game ? gameName(one.game) : "?"}</h3><span class="badge">${outcome(one)}</span></div>
        <p class="small soft">${one.day}${one.events !== undefined ? ` · ${t("page-matches-events", { number: one.events })}` : ""}${one.seats?.length ? ` · ${one.seats.map((_, seat) => playerName(one.seats, seat, !one.games)).join(", ")}` : ""}</p>
        ${one.games && html`<p class="row">${one.games.map((games, side) => html`<span class="row" key=${side}><${Side} side=${side} /><b>${games}</b></span>`)}</p>`}
        ${!one.unreadable && html`<div class="row"><button class="button main" onClick=${() => setOpen(one)} data-test="replay"><${Icon} name="play" />${t("page-matches-replay")}</button>
          ${!one.open && one.events > 0 && html`<button class="button" onClick=${() => setTonight(one.number)} data-test="tonight-open"><${Icon} name="full" />${t("page-tonight-title")}</button>`}
          <button class="button" onClick=${() => take(one, "lines", ".jsonl", "application/jsonl")}><${Icon} name="save" />${t("page-matches-take_lines")}</button>
          <button class="button" onClick=${() => take(one, "text", ".txt", "text/plain")}><${Icon} name="save" />${t("page-matches-take_text")}</button>
          ${paired && !one.open && html`<button class="button quiet" aria-label=${`${t("page-matches-delete")} ${one.number}`} onClick=${() => setGone(one)}><${Icon} name="bin" /></button>`}</div>`}
      </section>`)}
      ${all?.more > 0 && html`<p class="soft" role="status" data-test="more">${t("page-matches-follow", { number: all.more })}</p>`}</div>
    <section class="panel stack"><h2>${t("page-matches-statistics")}</h2>${all && !all.more ? html`<${Statistics} ask=${ask} there=${there} />` : html`<p class="soft" role="status">${t("page-loading")}</p>`}</section>
    ${tonight !== null && html`<${Tonight} number=${tonight} ask=${ask} close=${() => setTonight(null)} />`}
    ${gone && html`<${Sheet} label=${t("page-matches-delete")} close=${() => setGone(null)}><p>${t("page-matches-sure_delete")}</p><div class="row">
      <button class="button danger" onClick=${async () => { const left = await ask("matches", { what: "delete", number: gone.number }); if (left) setAll(left); setGone(null); }}>${t("page-matches-delete")}</button><button class="button" onClick=${() => setGone(null)}>${t("page-cancel")}</button></div><//>`}
  </div>`;
};
