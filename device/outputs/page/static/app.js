// The table's page: which view is shown, the line to the device, and what is said aloud to who cannot see it.
import { Icon, alertText, chooseLanguage, fetched, gameName, html, opening, ownLanguage, ownLetters, render, said, speak, t, useEffect, useModule, useRef, useState, useTold } from "/w/ui.js";
import { aloud } from "/w/cards.js";
import { Follow, whoseTurn } from "/follow.js";

const VIEWS = ["table", "log", "aim", "house", "matches"], SCREEN = "#/screen"; // A television: the table, and nothing to touch.
const MODULES = { log: "/mend.js", aim: "/aim.js", house: "/house.js", matches: "/matches.js" };
const NEEDS = { log: ["log"], aim: ["camera"] };
const TOLD_MS = 5000, FIRST_LINE_MS = 6000; // So long the line may take to be up for the first time.
const body = document.body;
const here = () => { const name = location.hash.slice(2).split("/")[0]; return VIEWS.includes(name) ? name : "table"; };

/** A display's QR code names the code: the phone that scanned it is paired by that, and goes on to what comes first. */
const scanned = () => /^#\/pair\/(\d{6,9})$/.exec(location.hash)?.[1];
const HIDDEN = "hisabu-hidden";
/** The alert that somebody hid on this phone: kept while it stands, whichever view is shown. */
const useHidden = (state) => {
  const [hidden, setHidden] = useState(() => { try { return sessionStorage.getItem(HIDDEN); } catch { return null; } });
  const hide = (alert) => { setHidden(alert); try { sessionStorage.setItem(HIDDEN, alert ?? ""); } catch { /* It comes back when the page is loaded again. */ } };
  useEffect(() => { if (state && hidden && state.alert !== hidden) hide(null); }, [Boolean(state), state?.alert, hidden]);
  return { hidden, hide };
};
/** What a refusal is in words. */
const refusal = (error) => (error?.refused ? (said(`page-refused-${error.refused}`) ? t(`page-refused-${error.refused}`, error) : t("page-refused-unknown")) : t("page-refused-unknown"));

const App = ({ first, refused }) => {
  const [state, setState] = useState(first);
  const [hello, setHello] = useState({ paired: body.dataset.paired === "yes", open: true });
  const [there, setThere] = useState(true);
  const [line, setLine] = useState(0); // How often it came up: what is looked at is asked again each time.
  const [view, setView] = useState(here());
  const [more, setMore] = useState({});
  const [pairing, setPairing] = useState(null);
  const [told, setTold] = useState(refused);
  const [turn, setTurn] = useState("");
  const [setting, setSetting] = useState(false), [wasRight, setWasRight] = useState(false);
  const [bare, setBare] = useState(location.hash === SCREEN), [own, setOwn] = useState(ownLanguage());
  const [, setSpoken] = useState("");
  const link = useRef(null), main = useRef(null), awayTimer = useRef(null), lineUp = useRef(null), begun = useRef(false), hides = useHidden(state);
  lineUp.current ??= opening();

  useEffect(() => {
    awayTimer.current = setTimeout(() => setThere(false), FIRST_LINE_MS); // A module may be waited for without end.
    // Not before the table is drawn from what came with the page.
    fetched("/w/link.js", () => setThere(false)).then(({ Link }) => {
      link.current = new Link({
        state: setState,
        there: (up) => { clearTimeout(awayTimer.current); if (up) { lineUp.current.up(); setThere(true); setLine((times) => times + 1); } else awayTimer.current = setTimeout(() => setThere(false), 1500); },
        message: (message) => {
          if (message.hello) {
            if (message.hello.version !== body.dataset.version && body.dataset.version) return location.reload();
            setHello(message.hello);
          } else setMore((old) => ({ ...old, ...message }));
          return undefined;
        },
        picture: (blob) => setMore((old) => ({ ...old, picture: blob })),
      });
      link.current.look(NEEDS[here()] || []);
    });
    const moved = () => { if (scanned()) return location.reload(); setView(here()); setBare(location.hash === SCREEN); return undefined; };
    addEventListener("hashchange", moved);
    return () => removeEventListener("hashchange", moved);
  }, []);
  useEffect(() => {
    link.current?.look(NEEDS[view] || []);
    setMore((old) => ({ ...old, picture: null, aim: null }));
    if (begun.current) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    begun.current = true;
    document.title = view === "table" ? t("page-title") : `${t(`page-tabs-${view}`)} · ${t("page-title")}`;
  }, [view]);
  useEffect(() => {
    const language = own || state?.language;
    let gone = false;
    if (language && language !== document.documentElement.lang) fetched(`/words/${language}.js`).then((found) => {
      if (gone) return;
      speak(found.default, language);
      document.documentElement.lang = language;
      setSpoken(language);
    });
    return () => { gone = true; };
  }, [state?.language, own]);
  const whose = state?.view?.game ? whoseTurn(state.view, state.seats) : "";
  useEffect(() => { const timer = setTimeout(() => setTurn(whose), 400); return () => clearTimeout(timer); }, [whose]);
  useTold(told, there ? "" : t("page-away"));
  useEffect(() => { if (!told) return undefined; const timer = setTimeout(() => setTold(""), TOLD_MS); return () => clearTimeout(timer); }, [told]);
  useEffect(() => { const keys = (event) => event.key === "f" && !event.ctrlKey && event.target === body && setBare((now) => !now); addEventListener("keydown", keys); return () => removeEventListener("keydown", keys); }, []);

  useEffect(() => { page.classList.toggle("bare", bare); page.classList.toggle("has-pair", !hello.paired); }, [bare, hello.paired]);

  /** Asks the device; says so where it refuses. What came of it, or undefined. */
  const ask = async (what, facts) => {
    try { await lineUp.current.first; const value = await link.current.ask(what, facts); return value === null ? true : value; }
    catch (error) {
      if (error.refused === "not_paired") setPairing(true);
      setTold(refusal(error));
      return undefined;
    }
  };
  const wantPair = () => setPairing(true);
  /** Sets the table up; a phone that is not paired is paired first. */
  const setUp = () => (hello.paired ? setSetting(true) : setPairing("setup"));
  useEffect(() => { if (pairing === "setup" && hello.paired) { setPairing(null); setUp(); } }, [pairing, hello.paired]);
  useEffect(() => { if (body.dataset.arrived === "yes" && line && hello.paired && state && !state.events) { delete body.dataset.arrived; setUp(); } }, [line > 0, hello.paired, Boolean(state)]);
  const speakHere = (language) => { chooseLanguage(language); setOwn(language); setSpoken(`${language} ${ownLetters()}`); link.current?.again(); };
  const shared = { ...hides, setUp, own, speakHere, state, ask, paired: hello.paired, wantPair, more, there: there && line, link: link.current, say: setTold, hello, linked: line > 0 };
  const game = state?.view?.game, Shown = useModule(MODULES[view])?.View, SetUp = useModule(setting ? MODULES.house : null)?.SetUp;
  return html`
    <header class="top"><h1><img src="/icon.svg" alt="" />${t("page-title")}</h1>
      <span class="game">${game ? gameName(game) : ""}</span>
      ${!hello.paired && html`<button class="button push" onClick=${wantPair}><${Icon} name="phone" />${t("page-pair-short")}</button>`}</header>
    <main tabindex="-1" ref=${main}>
      ${!there && html`<p class="away" role="status">${t("page-away")}</p>`}
      ${!hello.open ? html`<div class="stack panel"><h2>${t("page-closed-title")}</h2><p>${t("page-closed-how")}</p><button class="button main" onClick=${wantPair}>${t("page-pair-title")}</button></div>`
        : !state ? html`<p class="waits" role="status">${t("page-loading")}</p>`
        : view === "table" ? html`<${Follow} ...${shared} />`
        : Shown && link.current ? html`<${Shown} ...${shared} />` : html`<p class="waits" role="status">${t("page-loading")}</p>`}
    </main>
    <nav class="tabs" aria-label=${t("page-tabs-label")}>${VIEWS.map((one) => html`<a key=${one} href=${`#/${one}`} aria-current=${one === view ? "page" : null}><${Icon} name=${one} /><span>${t(`page-tabs-${one}`)}</span></a>`)}</nav>
    ${pairing && !(pairing === "setup" && wasRight) && html`<${Pairing} close=${() => setPairing(null)} paired=${() => { if (pairing === "setup") setWasRight(true); else setPairing(null); setTold(t("page-pair-done")); link.current.again(); }} />`}
    ${setting && SetUp && link.current && html`<${SetUp} state=${state} ask=${ask} more=${more} link=${link.current} close=${() => setSetting(false)} />`}
    <p class="hidden-words" aria-live="polite" data-test="turn-said">${turn}</p>
    <p class="hidden-words" aria-live="assertive" data-test="alert-said">${(state && aloud(alertText(state))) || ""}</p>`;
};

const Pairing = (all) => {
  const Pair = useModule("/w/pair.js")?.Pair;
  return Pair && html`<${Pair} ...${all} />`;
};

const page = document.getElementById("page"), { words, state } = document.getElementById("told").dataset;
speak(JSON.parse(words), document.documentElement.lang);
const begin = (refused = "") => { page.textContent = ""; render(html`<${App} first=${state ? JSON.parse(state) : null} refused=${refused} />`, page); };
const code = scanned();
if (code) history.replaceState(null, "", "#/table");
if (!code || body.dataset.paired === "yes") begin();
else fetched("/w/pair.js").then(async ({ post, whyNotPaired }) => {
  const answer = await post("/pair", { code }).catch(() => ({}));
  if (answer.ok) body.dataset.paired = body.dataset.arrived = "yes";
  begin(answer.ok ? "" : whyNotPaired(answer) || t("page-pair-press"));
});
