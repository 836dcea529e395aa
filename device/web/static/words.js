// Messages and notices in the phone's language: what device/words/messages.py and notices.py do, from the same files.
let messages = {}, plurals = (number) => (number === 1 ? "one" : "other"), point = ".";
/** The messages of a language, from now on. */
export const speak = (found, language) => { messages = found; point = language === "en" ? "." : ","; const rules = new Intl.PluralRules(language === "en" ? "en" : "fr"); plurals = (number) => rules.select(number); };
/** Whether there is a message of that name. */
export const said = (name) => messages[name] !== undefined;

const caseOf = (value) => (value === null || value === undefined ? "none" : typeof value === "object" ? (Object.keys(value).length ? "some" : "none") : String(value));
const chosen = (cases, value) => { const one = caseOf(value); return one in cases ? one : typeof value === "number" && plurals(value) in cases ? plurals(value) : null; };
/** A message filled: shown says a fact, raw is what a selector sees of it. */
const filled = (pattern, raw, shown) => (typeof pattern === "string" ? [pattern] : pattern).map((part) => {
  if (typeof part === "string") return part;
  if (part.fact) return shown(part.fact);
  if (part.say) return filled(messages[part.say], raw, shown);
  const one = chosen(part.when, raw(part.pick));
  return filled(one === null ? part.else : part.when[one], raw, shown);
}).join("");
/** A fact as it is; a number as the language writes it. */
const plain = (value) => (typeof value === "number" ? String(value).replace(".", point) : String(value));
/** A message by its name, with its facts: t("table-player", { number: 3 }). */
export const t = (name, facts = {}) => (said(name) ? filled(messages[name], (fact) => facts[fact], (fact) => plain(facts[fact] ?? "?")) : name);

const SIGNS = { C: "♣", D: "♦", H: "♥", S: "♠" };
const LETTERS = "hisabu-letters", OF_PACKS = { KQJ: { K: "K", Q: "Q", J: "J" }, RDV: { K: "R", Q: "D", J: "V" } };
/** The letters that this phone shows on its cards: "KQJ", "RDV", or "", as its language has them. */
export const ownLetters = () => { try { return localStorage.getItem(LETTERS) || ""; } catch { return ""; } };
export const chooseLetters = (letters) => { try { localStorage.setItem(LETTERS, letters); } catch { /* They are as the language has them. */ } };
/** The letter or number in a card's corner. */
export const rankSign = (rank) => OF_PACKS[ownLetters()]?.[rank] ?? (said(`card-letter_${rank}`) ? t(`card-letter_${rank}`) : rank);
/** A card as short as can be. */
export const cardSign = (card) => (card === null ? "?" : card === "JOKER" ? "★" : rankSign(card.slice(0, -1)) + SIGNS[card.slice(-1)]);
const cardWord = (card) => { if (card === "JOKER") return t("card-joker"); const rank = card ? `card-rank_${card.slice(0, -1)}` : ""; return said(rank) ? `${t(rank)} ${SIGNS[card.slice(-1)]}` : cardSign(card); };
/** A player's name, if there is one: who was forgotten is kept as "#2". */
export const givenName = (seats, seat) => (/^#\d+$/.test(seats[seat] ?? "#0") ? "" : seats[seat]);
export const PLAYERS = ["south", "north"];
/** What a player is called; without a name by number, on a board as South or North. */
export const playerName = (seats, seat, board = false) => givenName(seats, seat) || t(board ? `table-${PLAYERS[seat]}` : "table-player", { number: seat + 1 });
export const sideName = (side) => t("table-side", { letter: "ABCDEF"[side] });
/** A game by its name. */
export const gameName = (game) => t(said(`${game}-name`) ? `${game}-name` : "page-game_unknown");
/** A message, or the one that a game has in its place. */
export const ofGame = (game, name) => { const own = `${game}-${name.slice(name.indexOf("-") + 1)}`; return said(own) ? own : name; };
/** A turn by its key: F6+:stop, or a pit's letter. */
export const moveName = (key) => {
  if (key === null || key === undefined) return t("table-move_unnamed");
  if (CARD.test(key)) return cardSign(key);
  const found = /^([FB])([1-8])([+-])(?::(stop|use))?$/.exec(key);
  if (!found) return /^[A-Fa-f]$/.test(key) ? t("table-move_pit", { pit: key.toUpperCase() }) : key;
  const [, row, column, way, choice] = found;
  return `${t(`table-move_${row}`, { column })} ${way === "+" ? "→" : "←"}${choice ? ` ${t(`table-move_${choice}`)}` : ""}`;
};
const CARD = /^((10|[2-9AKQJ])[CDHS]|JOKER)$/;
/** An answer to a question, as short as a button's label can be. */
export const choiceName = (choice, seats = []) => {
  if (CARD.test(choice)) return cardSign(choice);
  if (choice in SIGNS) return SIGNS[choice];
  if (/^\d+$/.test(choice)) return playerName(seats, Number(choice));
  const laid = /^(\d+):(\w+)$/.exec(choice);
  if (laid) return laid.slice(1).map((part) => choiceName(part, seats)).join(" ");
  if (said(`answer-${choice}`)) return t(`answer-${choice}`);
  if (said(`illegal-${choice}`)) return t("answer-illegal");
  const [back, ...keys] = choice.split(" "), turns = (of) => of.map(moveName).join(", ");
  return back === "taken_back" ? t("answer-instead", { turn: turns(keys) }) : turns([back, ...keys]);
};
const bySide = (values) => values.map((one) => (Array.isArray(one) ? `(${one[0]}…${one[1]})` : String(one))).join("–");

const messageOf = (notice) => {
  if (notice.notice === "illegal") return `illegal-${notice.rule}`;
  if (notice.notice === "question") return said(`question-${notice.about}`) ? `question-${notice.about}` : "question-other";
  return `notice-${notice.notice}`;
};
/** Where a state is: who sits there, the sides, the game. */
const where = ({ view, seats }) => ({ seats, sides: view?.sides ?? [], game: view?.game, grid: view?.captured ? [2, 6] : [4, 8] });
/** What was said last, in the words of this phone. */
export const saidLast = (state) => (state.sentences ?? []).map((text, at) => (state.notices?.[at] ? sentence(state.notices[at], where(state)) : text));
export const noticeText = (state, notice, text) => (notice?.notice ? sentence(notice, where(state)) : text);
/** The alert that stands. */
export const alertText = (state) => (state.alert ? noticeText(state, state.view?.alert, state.alert) : state.alert);
/** The alert of a table in a hall, in this phone's words; in the table's, where it sends what nobody knows. */
export const alertOf = (row) => { try { return (row.alert && alertText(row)) || row.alert; } catch { return row.alert; } };
/** The question and its answers. */
export const promptText = (state) => noticeText(state, state.prompt?.asked, state.prompt?.text);
const codeText = (code, seats) => {
  if (typeof code === "string") return choiceName(code, seats);
  if (code.option) { const own = `${code.game}-${code.option}_${code.value}`; return said(own) ? t(own) : t(`option-${code.option}.${code.value}`); }
  return code.players ? t("table-game_of", { game: gameName(code.game), players: code.players }) : gameName(code.game);
};
export const answerTexts = ({ prompt, seats }) => prompt.answers.map((label, at) => (prompt.codes?.[at] ? codeText(prompt.codes[at], seats) : label));
/** What the table waits for, and what is amiss. */
export const waitingText = (state) => (said(`situation-${state.situation}`) ? t(`situation-${state.situation}`) : state.waiting);
export const troubleTexts = (state) => (state.trouble_codes ?? []).map((code, at) => (said(`trouble-${code}`) ? t(`trouble-${code}`) : state.troubles[at]));
/** The languages there are, by code and name. */
export const languages = () => Object.keys(messages).filter((name) => name.startsWith("language-")).map((name) => [name.slice(9), t(name)]);
const OWN = "hisabu-language";
/** The language that this phone has chosen for itself; "": the table's. */
export const ownLanguage = () => document.cookie.split("; ").find((one) => one.startsWith(`${OWN}=`))?.slice(OWN.length + 1) ?? "";
export const chooseLanguage = (language) => { document.cookie = `${OWN}=${language}; path=/; max-age=${language ? 31536000 : 0}; samesite=strict`; };
/** A notice as one sentence. at: { seats, sides, game }, and grid where that is a board's. */
export const sentence = (notice, at) => {
  const text = filled(messages[ofGame(at.game, messageOf(notice))] ?? notice.notice, (name) => raw(notice, name), (name) => shown(notice, name, at));
  const said = text.charAt(0).toUpperCase() + text.slice(1);
  return notice.late ? t("question-late", { question: said }) : said;
};
const raw = (notice, name) => {
  if (name === "sure_claims" || name === "open_claims") return (notice.claims ?? []).filter((claim) => claim.certain === (name === "sure_claims"));
  if (name === "checked") return notice.tricks ?? [...new Set(notice.claims.map((claim) => claim.trick))].sort((a, b) => a - b);
  if (name === "listed") return notice.cards.length > 6 || !notice.cards.length ? "many" : notice.cards.length === notice.missing ? "all" : "some";
  return notice[name] ?? ((notice.remarks ?? []).includes(name) ? true : null);
};
const seatWord = (seat, at) => (seat === null ? t("table-nobody") : playerName(at.seats, seat));
const boardPlayer = (player, seats) => playerName(seats, PLAYERS.indexOf(player), true);
const sideWord = (side, at) => { const alone = at.sides.filter((one) => one === side).length === 1; return alone ? seatWord(at.sides.indexOf(side), at) : sideName(side); };
const either = (names) => names.join(t("table-either"));
const claimWord = (claim, at) => filled(messages["notice-claim"], (name) => raw(claim, name), (name) => shown({ notice: "claim", ...claim }, name, at));
const claimWords = (claims, at) => {
  const said = (some) => some.map((claim) => claimWord(claim, at)), more = claims.length - 2, shownLast = (claim) => Math.max(...(claim.shown_in ?? [0]));
  if (more <= 0) return said(claims).join("; ");
  const newest = [...claims].sort((a, b) => shownLast(b) - shownLast(a)).slice(0, 2);
  return [...said(newest), t("notice-more_claims", { more })].join("; ");
};
const readCards = (cards) => { const signs = cards.map(cardSign), names = cards.map(cardWord); return names.join() === signs.join() || cards.length > 2 ? signs.join(" ") : names.join(", "); };
const allCards = (cards, accused) => {
  if (!accused) return readCards(cards);
  const read = cards.filter((card) => card !== null), unread = cards.length - read.length;
  if (read.length && !unread) return readCards(read);
  const unknown = t("table-unread_cards", { count: Math.max(1, unread) });
  return read.length ? t("table-and", { one: readCards(read), other: unknown }) : unknown;
};
const pitName = ([row, column], player, { grid: [rows, columns] = [4, 8], seats }) => {
  if (rows === 2) return t("table-move_pit", { pit: "ABCDEFGH"[row ? column : columns - 1 - column] });
  const name = t(`table-move_${row === 1 || row === 2 ? "F" : "B"}`, { column: column + 1 }), side = PLAYERS[row < rows / 2 ? 1 : 0];
  return !player || side === player ? name : `${name} (${boardPlayer(side, seats)})`;
};
const seenWhere = (seen, at) => t(`notice-seen_${["turn_up", "paid", "pillaged", "taken_up"].find((one) => one in seen) ?? "played"}`, { seat: seatWord(seen.seat ?? null, at), trick: seen.trick });
const SAID = {
  key: moveName, wanted: moveName, best: moveName, reply: moveName, duty: (duty) => t(`notice-duty_${duty}`), must: (duty) => t(`notice-must_${duty}`), player: (player, at) => boardPlayer(player, at.seats), card: cardSign, was: cardSign,
  suit: (suit) => t(`card-suit_${suit}`), game: gameName, shown: (cards) => cards.map(cardSign).join(" "), among: (cards) => cards.map(cardSign).join(" "),
  points: bySide, games: bySide, match: bySide, tricks: bySide, parties: bySide, checked: (tricks) => tricks.join(", "), shown_in: (tricks) => tricks.join(", "),
  seat: seatWord, winner: seatWord, taker: seatWord, dealer: seatWord, side: sideWord, loser: sideWord, revoked: sideWord, first_seen: seenWhere,
  expected: (seats, at) => either(seats.map((seat) => seatWord(seat, at))), illegal: sentence,
  candidates: (these, at) => either(these.map((one) => choiceName(String(one), at.seats))),
  choices: (these, at) => either(these.map((one) => choiceName(String(one), at.seats))),
  sure_claims: claimWords, open_claims: claimWords,
  cards: (cards, at, notice) => allCards(cards, notice.notice === "illegal"),
  pits: (pits, at, notice) => pits.map((pit) => pitName(pit, notice.player, at)).join(", "),
};
const OF_NOTHING = ["key", "seat", "winner", "taker", "dealer"];
const shown = (notice, name, at) => {
  const value = raw(notice, name);
  return value === null && !OF_NOTHING.includes(name) ? "?" : name in SAID ? SAID[name](value, at, notice) : plain(value);
};
