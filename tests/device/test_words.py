"""Every notice has its sentence in every language, and every fact it names is one the notice has."""

import json
import re
from collections import Counter
from functools import cache
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import pytest

from device import words
from device.following.show import Show
from device.outputs.page.rules import PARTS
from device.outputs.terminal import HEIGHT, WIDTH, Screen
from device.words.__main__ import every_message, sentences, sources
from device.words.messages import Pattern, messages
from device.words.notices import MOST_CLAIMS
from engine.events import Board, Deal, Play
from engine.games import GAMES, card_tables
from engine.match import Match
from engine.notices import BOARD_RULES, CARD_RULES
from engine.referee.card_game import CardJudge
from engine.rules.mraha import board_rows, flags_from, options_for, start
from engine.simulate import honest_deal, plant, plantable
from engine.simulate_mraha import PLANTABLE, honest_turns
from engine.simulate_mraha import plant as plant_board

ROOT = Path(__file__).resolve().parents[2]
NAMED = re.compile(r"^([\w-]+) =", re.MULTILINE)
SOURCES = Path(__file__).resolve().parents[3] / "shared/sources"
TEXTS = {"T": "000_becade0d6c4134f2.txt", "M": "002_83f3a9ca5b7fc4a7.txt"}


def facts_of(pattern: Pattern) -> set[str]:
    """The facts that a message names, those it chooses by among them."""
    found = set()
    for part in pattern:
        if isinstance(part, dict):
            found |= {part[key] for key in ("fact", "pick") if key in part}
            for case in (*part.get("when", {}).values(), part.get("else", [])):
                found |= facts_of(case)
    return found


def test_every_language_says_the_same_things_with_the_same_facts() -> None:
    english = {name: facts_of(said) for name, said in every_message("en").items()}
    for language in words.LANGUAGES:
        found = {name: facts_of(said) for name, said in every_message(language).items()}
        named = {name for name in found if name.startswith("card-rank_")}
        assert found.keys() - named == english.keys(), (
            "cards have names in Shimaore; elsewhere they are read as they lie"
        )
        for name, facts in found.items():
            assert name in named or language == "shi" or facts == english[name], (language, name)
            assert name in named or facts <= english[name], (language, name)


def test_only_what_is_said_is_read() -> None:
    messages.cache_clear()
    words.say("en", "situation-looking")
    assert messages.cache_info().currsize == 1


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_every_rule_has_its_sentence(language: str) -> None:
    assert set(messages(language, "illegal")) == {f"illegal-{rule}" for rule in (*CARD_RULES, *BOARD_RULES)}


@cache
def every_card_notice() -> list[dict[str, Any]]:
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for game, players in [*((kind.name, kind.players) for kind in GAMES.values() if not kind.grid), ("turufu", 6)]:
        judge = Match(game, players).judge
        assert isinstance(judge, CardJudge)
        rng = Random(0)
        deals = [plant(rule, judge.game, rng, 0) for rule in plantable(judge.game)]
        deals += [list(honest_deal(judge.game, rng, 0, revoke_chance=chance).events) for chance in (0.3, 0.6)]
        for events in deals:
            match = Match(game, players)
            for event in events:
                for notice in match.add(event):
                    raw = json.loads(json.dumps(notice.to_dict()))
                    many = len(raw.get("claims", ())) > MOST_CLAIMS
                    found[raw["notice"], raw.get("rule"), raw.get("level_of_proof"), many] = raw
    return list(found.values())


@cache
def every_board_notice() -> list[dict[str, Any]]:
    """An illegal turn of each kind that comes up in the first turns of a game of each kind."""
    found: dict[tuple[Any, ...], dict[str, Any]] = {}
    for preset in ("mraha", "kiswahili"):
        flags = flags_from(options_for(preset, {}))
        match, position = Match("mraha", 2, {"preset": preset}), start(flags)
        rng = Random(0)
        for number, turn in enumerate(islice(honest_turns(rng, flags), 40)):
            rule = PLANTABLE[number % len(PLANTABLE)]
            wrong = plant_board(position, flags, rule, rng) if number < 24 else None
            position = turn.after
            for event in (*([wrong] if wrong else []), Board(board_rows(position))):
                for notice in match.add(event):
                    raw = json.loads(json.dumps(notice.to_dict()))
                    found[raw["notice"], raw.get("rule"), raw.get("about")] = raw
    return list(found.values())


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_sentences_of_the_board_are_whole(language: str) -> None:
    notices = every_board_notice()
    assert len({notice.get("rule") for notice in notices}) > 8
    for notice in notices:
        said = words.sentence(notice, language)
        assert "{" not in said and "None" not in said and " ? " not in said, (notice, said)
        assert notice["notice"] == "question" or "?" not in said, (notice, said)


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_sentences_are_whole(language: str) -> None:
    notices = every_card_notice()
    assert {notice.get("rule") for notice in notices} >= set(CARD_RULES)
    for notice in notices:
        said = words.sentence(notice, language)
        assert "{" not in said
        assert "None" not in said
        if notice["notice"] not in ("unreadable", "trick", "question"):
            assert "?" not in said, (notice, said)


@cache
def revokes_told() -> list[dict[str, Any]]:
    told = []
    for players, deals in ((2, 50), (4, 20), (6, 10)):
        judge = Match("turufu", players).judge
        assert isinstance(judge, CardJudge)
        for seed in range(deals):
            match = Match("turufu", players)
            for event in honest_deal(judge.game, Random(seed), 0, revoke_chance=0.15).events:
                told += [
                    notice.to_dict()
                    for notice in match.add(event)
                    if notice.code == "revoke" and notice.level == "alert"
                ]
    return told


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_a_proven_revoke_says_what_shows_it(language: str) -> None:
    """Cards that lay there, or, where it takes all of them together, how many others had room for."""
    kinds = set()
    for notice in revokes_told():
        said = words.sentence(notice, language)
        for claim in notice["claims"] if len(notice["claims"]) <= MOST_CLAIMS else ():
            kinds.add(bool(claim["shown"]))
            assert claim["shown"] or claim["among"], notice
            assert all(words.card_sign(card, language) in said for card in claim["shown"] or claim["among"]), said
            assert ", ".join(map(str, claim["shown_in"])) in said
            assert claim["shown"] or not claim["elsewhere"] or str(claim["elsewhere"]) in said
        assert "  " not in said and "( " not in said
    assert kinds == {True, False}


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_of_many_revokes_two_are_told_and_how_many_more_there_are(language: str) -> None:
    shown = [{"seat": 0, "trick": trick, "card": "7S", "shown": ["AC"], "shown_in": [trick + 1], "among": [],
              "elsewhere": None, "duty": "follow", "certain": True} for trick in range(1, 6)]  # fmt: skip
    notice = {"notice": "revoke", "level_of_proof": "proven", "claims": shown, "certain": [[0, 1]]}
    said = words.sentence(notice, language)
    told = [trick for trick in range(1, 6) if str(trick + 1) in said]
    assert {4, 5} <= set(told) and "3" in said, said
    assert said.count("A♣") == 2


def test_what_is_not_certain_is_said_as_one_of_several() -> None:
    kinds = set()
    for notice in revokes_told():
        said = words.sentence(notice, "en")
        certain = len(notice["certain"])
        assert ("one of these" in said) == (certain < len(notice["claims"])), said
        kinds.add((certain > 0, certain < len(notice["claims"])))
    assert {(True, False), (False, True)} <= kinds


def test_suits_have_their_shimaore_names() -> None:
    names = [words.suit_name(suit, "shi") for suit in "CDSH"]
    assert names == ["pao", "shipaza", "uru", "kopa"]


def test_cards_have_their_shimaore_names_where_a_sentence_has_room() -> None:
    ranks = ["A", "7", "K", "J", "Q", "6", "5", "4", "3", "10"]
    assert [words.card_name(f"{rank}S", "shi") for rank in ranks] == [
        "re ♠", "seti ♠", "laruba ♠", "mzungu wa raru ♠", "mzungu wa vili ♠", "la sita ♠", "la tsano ♠", "la nne ♠",
        "dola ♠", "10♠",
    ]  # fmt: skip
    assert [words.card_name("7H", language) for language in ("fr", "en")] == ["7♥", "7♥"]
    assert [words.card_name(card, "shi") for card in (None, "JOKER")] == ["?", "le joker"]
    two: dict[str, Any] = {"notice": "illegal", "rule": "two_from_one_seat", "seat": 0, "trick": 1}
    assert words.sentence({**two, "cards": ["7H", "10S"]}, "shi", ("Ali",)).endswith(": seti ♥, 10♠.")
    assert words.sentence({**two, "cards": ["7H", None]}, "shi", ("Ali",)).endswith("seti ♥ et une carte illisible.")
    trick = {"notice": "trick", "trick": 3, "seat": 0, "cards": ["7H", "KH", "3H", "4H"]}
    assert words.sentence(trick, "shi", ("Ali",)).endswith(": 7♥ R♥ 3♥ 4♥.")


def test_players_are_called_by_their_names() -> None:
    notice = {"notice": "illegal", "rule": "out_of_turn", "seat": 1, "cards": ["AH"], "trick": 1, "expected": [0]}
    assert words.sentence(notice, "en", ("Zaïna", "Ali")) == "Ali played A♥ out of turn. It is Zaïna's turn."


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize(("game", "players"), card_tables())
def test_the_terminal_view_fits_80_by_24(game: str, players: int, language: str) -> None:
    match = Match(game, players)
    assert isinstance(match.judge, CardJudge)
    screen = Screen(language, colour=False)
    messages: list[str] = []
    for event in plant("cards_missing", match.judge.game, Random(2), 0):
        messages += [words.sentence(notice.to_dict(), language) for notice in match.add(event)]
        drawn = screen.draw(Show(match.view.to_dict(), language, sentences=tuple(messages), alert="!" * 100))
        assert len(drawn) <= HEIGHT
        assert max(map(len, drawn)) <= WIDTH


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_the_terminal_view_fits_at_its_fullest(language: str) -> None:
    """Every marker brought, points and tricks still open, six seats, the match won."""
    match = Match("turufu", 6)
    match.add({"event": "deal", "dealer": 5, "turn_up": "3S"})
    markers = [["8", "9", "10", "2", "JOKER"]] * 2
    view = match.view.to_dict() | {"points": [(88, 109)] * 2, "tricks": [(10, 12)] * 2, "markers": markers, "winner": 1}
    drawn = Screen(language, colour=False).draw(Show(view, language, sentences=("x" * 200,) * 9, alert="!" * 100))
    assert max(map(len, drawn)) <= WIDTH
    assert len(drawn) <= HEIGHT
    assert len(words.say(language, "screen-go_on")) <= WIDTH


# -- what is said of what could not be read, of pits, of those who play alone ------------------------------------------


@pytest.mark.parametrize("language", words.LANGUAGES)
@pytest.mark.parametrize("cards", [[], [None], [None, None], ["AH", None]])
@pytest.mark.parametrize("rule", [*CARD_RULES])
def test_an_alert_about_an_unread_card_has_no_hole(rule: str, cards: list[str | None], language: str) -> None:
    notice = {
        "notice": "illegal", "level": "alert", "rule": rule, "seat": 1, "trick": 3, "cards": cards, "expected": [2],
        "winner": 0, "missing": 2, "total": 118, "all": 120, "first_seen": {"seat": 0, "trick": 1},
    }  # fmt: skip
    said = words.sentence(notice, language)
    assert not re.search(r"\?|\{|None|  | [.,;)]|\( |: \.", said.replace(" ; ", "; ")), said
    assert not re.search(r"« *»|avec *,|with *,", said), said


@pytest.mark.parametrize(("language", "said"), [("fr", "avant 5, arrière 2 (Nord)"), ("en", "front 5, back 2 (North)")])
def test_pits_are_called_as_turns_call_them(language: str, said: str) -> None:
    notice = {"notice": "illegal", "rule": "dropped_wrong", "player": "south", "pits": [[2, 4], [0, 1]]}
    assert said in words.sentence(notice, language, game="mraha")
    seen = {words.sentence({**notice, "pits": [[row, 2]]}, "en", game="awale")[-6:] for row in (0, 1)}
    assert seen == {"it D).", "it C)."}


@pytest.mark.parametrize(("language", "said"), [("fr", "Joueur 2"), ("en", "player 2")])
def test_who_plays_alone_is_no_side(language: str, said: str) -> None:
    match = Match("pille", 3)
    won = {"notice": "match_won", "level": "info", "side": 1}
    assert said.lower() in words.sentence_of(won, language, match).lower()
    assert "Zaïna" in words.sentence_of(won, language, Match("pille", 3, None, ("Ali", "Zaïna", "Mo")))
    together = words.sentence_of(won, language, Match("turufu", 4))
    assert words.say(language, "table-side", letter="B")[1:] in together
    view = Match("pille", 3).view.to_dict()
    assert "camp" not in "".join(Screen("fr", colour=False).draw(Show(view, "fr")))


def every_french_sentence() -> list[str]:
    told = [notice for notice in (*every_card_notice(), *every_board_notice()) if notice.get("about") != "taker"]
    return [words.sentence(notice, "fr") for notice in told]  # Who may take is a list of labels.


def test_french_sentences_begin_with_a_capital() -> None:
    for said in every_french_sentence():
        assert said[0].isupper() or not said[0].isalpha(), said


def every_sentence(language: str) -> list[tuple[str, str]]:
    return [(name, sentence) for name, pattern in every_message(language).items() for sentence in sentences(pattern)]


def test_no_english_in_french() -> None:
    """Words that are English and nothing else, in any message in French or in what stands in for Shimaore."""
    english = re.compile(r"\b(the|is|not|with|card|player|file|error|line|cannot|please|and|seat)\b", re.IGNORECASE)
    for language in ("fr", "shi"):
        for name, said in every_sentence(language):
            assert not english.search(string_without_facts(said)), (name, said)


def string_without_facts(said: str) -> str:
    return re.sub(r'\{[\w-]*\}|`[^`]*`|--\w+|/\S+|"\w+"', " ", said)


def test_every_shimaore_message_says_where_it_is_from() -> None:
    """And has the words of the sources in it; what is French beside them is marked so."""
    told = sources()
    own = {name for file in (ROOT / "device/words/shi").glob("*.ftl") for name in NAMED.findall(file.read_text())}
    assert own == told.keys()
    shimaore = every_message("shi")
    for name, source in told.items():
        said = " ".join(sentences(shimaore[name])).lower()
        for word in re.sub(r"\b[TM]: |=", ", ", source).split(", "):
            assert word.strip().lower() in said, (name, word, said)
        for sentence in sentences(shimaore[name]):
            ours = sentence.split("(fr)")[0].lower()
            assert not re.search(r"\b(le|la|les|des|une|est|pas)\b", re.sub(r"la (sita|tsano|nne)", "", ours)), (
                name,
                sentence,
            )


@pytest.mark.parametrize(("language", "said"), [("en", "Somebody played 8♦."), ("fr", "Quelqu'un a joué 8♦.")])
def test_an_alert_that_names_nobody_says_that_somebody_did_it(language: str, said: str) -> None:
    match = Match("turufu", 2)
    match.add(Deal("AC"))
    (alert,) = match.add(Play("8D", order_sure=False))
    assert words.sentence_of(alert.to_dict(), language, match).startswith(said)


def test_a_question_whether_somebody_did_it_says_so() -> None:
    asked = {"notice": "question", "about": "twice", "seat": None, "trick": 5, "cards": ["6D"]}
    where = {"first_seen": {"seat": None, "trick": 3}}
    assert words.sentence({**asked, **where}, "en") == (
        "Somebody played 6♦ in trick 5, seen before (somebody, trick 3). Am I right?"
    )


@pytest.mark.skipif(not SOURCES.exists(), reason="the texts that the words are from lie beside the checkout")
def test_the_words_are_in_the_sources_in_this_form() -> None:
    texts = {key: (SOURCES / file).read_text().lower().replace("u-", "u") for key, file in TEXTS.items()}
    for name, source in sources().items():
        for text, word in re.findall(r"\b([TM]): ([^TM]+?)(?=,? [TM]:|$)", source):
            for part in word.split(", "):
                assert part in texts[text], (name, text, part)


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"notice": "reminder", "about": "signals"}, "Pas de signes entre partenaires."),
        ({"notice": "match_won", "side": 0, "player": "south", "emptied": True}, "Kamu. Ushindra : Sud."),
        ({"notice": "move", "player": "south", "key": "F1+", "captured": 0, "remarks": ["uladza"]},
         "Uladza : Sud, avant 1 →."),
        ({"notice": "parties", "parties": [1, 1], "of": 2, "over": True, "side": None},
         "La soirée est finie, à égalité : 1–1 parties sur 2."),
    ],
)  # fmt: skip
def test_what_the_sources_have_a_word_for_is_called_so(facts: dict[str, Any], said: str) -> None:
    assert words.sentence(facts, "shi", game="mraha") == said


@pytest.mark.parametrize(("alone", "said"), [(True, "Kali wa murisi"), (False, "Kawala wa murisi")])
def test_who_stayed_under_the_bar_is_murisi(alone: bool, said: str) -> None:
    facts: dict[str, Any] = {
        "notice": "deal_scored", "points": [91, 29], "games": [2, 0], "match": [2, 0], "muzinga": False, "tied": False,
        "tie_bonus": 0, "loser": 1, "alone": alone, "murisi": 30,
    }  # fmt: skip
    for language in words.LANGUAGES:
        assert words.sentence(facts, language, game="turufu").startswith(said)


COUNTS = "number|count|events|lines|seeds|many|now|then|rows|of|captured|missing|added|planned|logs|remarks|hidden"


@pytest.mark.parametrize("language", ["en", "fr"])
def test_no_sentence_says_one_events(language: str) -> None:
    several = {
        "play-gave_capture",
        "table-unread_cards",
        "page-house-deck_done",
        "hall-tour-enter_how_pairs",
        "slip-some_arguments",
    }
    for name, said in every_sentence(language):
        counted = re.search(rf"\{{({COUNTS})\}} (?!does\b)[a-zé]+s\b", said)
        assert name in several or counted is None, f"{name}: {said}"


LONGEST_ON_A_DISPLAY = 90
"""Characters of a sentence that people read at the table, between two cards."""
NAMES = ("Zaïna", "Ali", "Moina", "Abdou", "Saïd", "Fatima")


@pytest.mark.parametrize("language", words.LANGUAGES)
def test_what_a_display_says_is_short(language: str) -> None:
    for topic in ("situation", "trouble", "menu", "answer", "display"):
        for name, pattern in messages(language, topic).items():
            for sentence in sentences(pattern):
                assert len(sentence) <= LONGEST_ON_A_DISPLAY, (name, sentence)
    for notice in (*every_card_notice(), *every_board_notice()):
        if len(notice.get("claims", ())) > 1 or notice["notice"] == "trick":
            continue  # Several revokes, or all the cards of a trick, are a list.
        game = "mraha" if "player" in notice else "turufu"
        said = words.sentence(notice, language, NAMES, (0, 1, 0, 1, 0, 1), game)
        limit = LONGEST_ON_A_DISPLAY + len(str(notice.get("cards", ""))) * (notice.get("rule") == "cards_missing")
        assert len(said) <= limit, (len(said), said)


OURS = {
    "en": r"\b(account|accounts|history|packet|furniture|stray|at rest|comes to rest|the eye|doubtful|is owed|told by"
    r"|explanation|may what|waited for|put right|mended)\b",
    "fr": r"\b(nappe de la caméra|est dû|au repos|remis de côté)\b",
}
"""Words that only who wrote this program understands at first sight."""


@pytest.mark.parametrize("language", OURS)
def test_no_message_has_words_that_only_we_use(language: str) -> None:
    found = [
        (name, sentence)
        for name, sentence in every_sentence(language)
        if re.search(OURS[language], sentence, re.IGNORECASE)
    ]
    assert not found


@pytest.mark.parametrize(
    ("machine", "command_line", "device"),
    [
        ({}, "en", "fr"), ({"LANG": "C.UTF-8"}, "en", "fr"), ({"LC_ALL": "POSIX", "LANG": "fr_FR"}, "en", "fr"),
        ({"LANG": "fr_FR.UTF-8"}, "fr", "fr"), ({"LANG": "en_GB.UTF-8"}, "en", "en"), ({"LANG": "de_DE"}, "en", "en"),
        ({"LANG": "swb_YT.UTF-8"}, "shi", "shi"),
    ],
)  # fmt: skip
def test_a_machine_without_a_language_speaks_english_and_a_device_french(
    monkeypatch: pytest.MonkeyPatch, machine: dict[str, str], command_line: str, device: str
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in machine.items():
        monkeypatch.setenv(name, value)
    assert (words.system_language(), words.system_language("fr")) == (command_line, device)


# -- a game's own words ------------------------------------------------------------------------------------------------


def test_a_game_says_its_own_and_else_what_all_say() -> None:
    facts: dict[str, Any] = {"notice": "deal_scored", "points": [91, 71], "games": [162, 0], "match": [162, 0]}
    belote = {**facts, "capot": False, "inside": False, "tie_bonus": 0, "taker": 0}
    assert words.sentence(belote, "en", ("Ali",), game="belote").startswith("Ali took and made it: 91–71.")
    assert words.sentence(facts, "en", game="a game without words").startswith("Deal over: 91–71.")


def words_of_games() -> set[str]:
    """What every game needs: its name, its rules, and its house rules with what each decides."""
    wanted = {f"{game}-{word}" for game in GAMES for word in ("name", "rules", *(f"rules.{part}" for part in PARTS))}
    options = {(kind.name, option.name) for kind in GAMES.values() for option in kind.options}
    named = {words.of_game(game, f"option-{option}", "en") for game, option in options}
    return wanted | named | {f"{name}.about" for name in named}


def test_every_game_has_its_name_its_rules_and_its_house_rules() -> None:
    """A house rule that no other game has may also be GAME-RULE, in the game's own file."""
    missing = [
        f"device/words/{language}: {name}"
        for language in ("en", "fr")
        for name in sorted(words_of_games())
        if not words.has(language, name)
    ]
    assert not missing, "\n".join(["is missing:", *missing])


def test_no_file_says_two_things_under_one_name() -> None:
    """The second would be said in place of the first, wherever that stands."""
    for file in sorted(Path(words.__file__).parent.glob("*/*.ftl")):
        names = re.findall(r"^([a-z][\w-]*) =", file.read_text(encoding="utf-8"), re.MULTILINE)
        assert [name for name, many in Counter(names).items() if many > 1] == [], file
