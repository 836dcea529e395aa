// Tonight's picture: a match to share. The phone draws it and saves it; nothing is sent anywhere.
import { Card } from "/w/cards.js";
import { Icon, PLAYERS, Sheet, SIDE_SHAPES, dated, fine, gameName, html, playerName, sideName, t, useEffect, useRef, useState } from "/w/ui.js";

const WIDE = 1080, HIGH = 1350, MIDDLE = WIDE / 2;
const INK = "#fff8e6", GOLD = "#f2c14e", SOFT = "#cfe3d8", SIDE_COLOURS = ["#4d8dff", "#ffb000", "#3fc67a", "#e86ac0", "#a58bff", "#ff8a4c"];
const FONT = "system-ui, 'Noto Sans', 'DejaVu Sans', sans-serif";
/** What a picture keeps of how the page shows it: alone it knows no style sheet. */
const KEPT = ["fill", "stroke", "stroke-width", "font-family", "font-size", "font-weight", "text-anchor", "letter-spacing", "opacity"];

const Text = ({ x = MIDDLE, y, size, fill = INK, bold = 700, anchor = "middle", most = WIDE - 120, children }) => html`<text x=${x} y=${y} style=${{ font: `${bold} ${size}px ${FONT}`, fill, textAnchor: anchor }} data-most=${most}>${children}</text>`;

/** A wreath of leaves round whoever took every trick. */
const Wreath = ({ x, y, r }) => html`<g transform="translate(${x} ${y}) scale(${r / 112} ${-r / 112})">${[1, -1].map((way) => Array.from({ length: 9 }, (_, at) => {
  const turn = Math.PI * (0.06 + at * 0.09) * way, px = Math.sin(turn) * 112, py = -Math.cos(turn) * 112, lean = (turn * 180) / Math.PI + 60 * way;
  return html`<path d="M0 26C-15 9-13-14 0-30C13-14 15 9 0 26Z" transform="translate(${px} ${py}) rotate(${lean})" fill=${at % 2 ? "#6fcf6a" : "#46a758"} stroke="#1d5c34" stroke-width="2" />`;
}))}</g>`;

const nameOf = (found, side) => {
  const names = found.sides.flatMap((one, seat) => (one === side ? [playerName(found.seats, seat, !found.games)] : []));
  return names.length > 3 ? sideName(side) : names.join(" · ");
};

const Picture = ({ found }) => {
  const sides = [...new Set(found.sides)].sort(), every = found.every_trick, score = (side) => (found.games ? found.games[side] : found.captured ? found.captured[PLAYERS[side]] : "");
  const best = found.best?.cards || [], more = best.length || every.length;
  const high = Math.min(170, (more ? 380 : 700) / sides.length - 18), wins = Math.min(96, high * 0.62), named = Math.min(46, high * 0.5);
  const wide = Math.min(170, 820 / Math.max(1, best.length)), left = MIDDLE - (best.length * (wide + 16) - 16) / 2;
  const [wreath, round] = best.length ? [765, 112] : [950, 220];
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDE} ${HIGH}" width=${WIDE} height=${HIGH}>
    <defs><radialGradient id="tonight" cx="50%" cy="36%" r="85%"><stop offset="0" stop-color="#1d7a5d" /><stop offset="1" stop-color="#08281e" /></radialGradient></defs>
    <rect width=${WIDE} height=${HIGH} fill="url(#tonight)" /><rect x="28" y="28" width=${WIDE - 56} height=${HIGH - 56} rx="44" fill="none" stroke=${GOLD} stroke-width="4" />
    <${Text} y=${130} size=${76}>${gameName(found.game)}<//>
    <${Text} y=${186} size=${34} bold=${500} fill=${SOFT}>${dated(`${found.day}T12:00`, { dateStyle: "long" })}<//>
    ${sides.map((side, at) => { const y = 236 + at * (high + 18), won = found.winner === side; return html`<g key=${side}>
      <rect x="80" y=${y} width=${WIDE - 160} height=${high} rx="28" fill=${won ? "#fff8e622" : "#00000038"} stroke=${won ? GOLD : "none"} stroke-width="4" />
      <path transform="translate(118 ${y + high / 2 - 12 * Math.min(2.3, high / 34)}) scale(${Math.min(2.3, high / 34)})" d=${SIDE_SHAPES[side % 6]} fill=${SIDE_COLOURS[side % 6]} />
      <${Text} x=${200} y=${y + high / 2 + named * 0.35} size=${named} anchor="start" most=${550}>${nameOf(found, side)}<//>
      <${Text} x=${WIDE - 124} y=${y + high / 2 + wins * 0.36} size=${wins} anchor="end" fill=${won ? GOLD : INK} most=${190}>${score(side)}<//></g>`; })}
    ${every.length > 0 && html`<g><${Wreath} x=${MIDDLE} y=${wreath} r=${round} /><${Text} y=${wreath} size=${round * 0.45} fill=${GOLD} most=${round * 1.6}>${t("page-card_every", { game: found.game })}${every.length > 1 ? ` ×${every.length}` : ""}<//>
      <path transform="translate(${MIDDLE - round * 0.3} ${wreath + round * 0.16}) scale(${round / 40})" d=${SIDE_SHAPES[every[every.length - 1] % 6]} fill=${SIDE_COLOURS[every[every.length - 1] % 6]} /></g>`}
    ${best.length > 0 && html`<g><${Text} y=${every.length ? 944 : 730} size=${38} fill=${SOFT} bold=${600}>${fine(t("page-tonight-best", { player: playerName(found.seats, found.best.seat), points: found.best.points }))}<//>
      ${best.map((card, at) => html`<${Card} key=${card} card=${card} at=${[left + at * (wide + 16), every.length ? 972 : 766, wide, wide * 1.4]} />`)}</g>`}
    ${found.capture && html`<${Text} y=${790} size=${44} fill=${SOFT} bold=${600}>${fine(t("page-tonight-capture", { player: playerName(found.seats, PLAYERS.indexOf(found.capture.player), true), seeds: found.capture.captured }))}<//>`}
    ${found.run && html`<${Text} y=${every.length ? 1244 : 1110} size=${38} fill=${SOFT} bold=${600}>${fine(t("page-tonight-run", { side: nameOf(found, found.run.side), tricks: found.run.tricks }))}<//>`}
    <${Text} y=${1300} size=${28} fill=${SOFT} bold=${500}>Hisabu<//>
  </svg>`;
};

/** Letters of a line that is too long are drawn closer, then smaller. */
const fit = (svg) => { for (const text of svg.querySelectorAll("[data-most]")) { const most = Number(text.dataset.most), wide = text.getComputedTextLength(); if (wide > most) text.style.fontSize = `${(parseFloat(getComputedStyle(text).fontSize) * most) / wide}px`; } };

/** The picture as a PNG. */
const drawn = async (svg) => {
  const copy = svg.cloneNode(true), from = svg.querySelectorAll("*"), to = copy.querySelectorAll("*");
  from.forEach((one, at) => { const style = getComputedStyle(one); for (const name of KEPT) { const value = style.getPropertyValue(name); if (value) to[at].setAttribute(name, value); } to[at].removeAttribute("class"); to[at].removeAttribute("style"); });
  const address = URL.createObjectURL(new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" })), image = new Image();
  await new Promise((done, failed) => { image.onload = done; image.onerror = failed; image.src = address; });
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDE, height: HIGH });
  canvas.getContext("2d").drawImage(image, 0, 0, WIDE, HIGH);
  URL.revokeObjectURL(address);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
};

export const Tonight = ({ number, ask, close }) => {
  const [found, setFound] = useState(null), [png, setPng] = useState(null), at = useRef();
  useEffect(() => { ask("matches", { what: "remembered", number }).then((one) => (one ? setFound(one) : close())); }, [number]);
  useEffect(() => {
    const svg = at.current?.querySelector("svg");
    if (!svg) return undefined;
    fit(svg);
    let address = null;
    drawn(svg).then((blob) => { address = URL.createObjectURL(blob); setPng({ address, file: new File([blob], `hisabu-${found.day}.png`, { type: "image/png" }) }); });
    return () => address && URL.revokeObjectURL(address);
  }, [found]);
  const share = png && navigator.canShare?.({ files: [png.file] });
  return html`<${Sheet} label=${t("page-tonight-title")} close=${close}>
    ${!png && html`<p role="status">${t("page-loading")}</p>`}
    ${found && !png && html`<div class="undrawn" aria-hidden="true" ref=${at}><${Picture} found=${found} /></div>`}
    ${png && html`<img class="tonight" src=${png.address} alt=${t("page-tonight-alt", { sides: [...new Set(found.sides)].map((side) => `${nameOf(found, side)} ${found.games ? found.games[side] : ""}`).join(", ") })} data-test="tonight" />
      <div class="row"><a class="button main" href=${png.address} download=${png.file.name}><${Icon} name="save" />${t("page-tonight-save")}</a>${share && html`<button class="button" onClick=${() => navigator.share({ files: [png.file] }).catch(() => {})}>${t("page-tonight-share")}</button>`}</div><p class="small soft">${t("page-tonight-how")}</p>`}<//>`;
};
