"""Between matches: who won and lost, how strong everybody is, and a head start that evens unequal players."""

import json
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from device import cli
from device.hall.results import ended
from device.keeping.journal import MatchRecord, kept, recover_file
from device.keeping.names import forget
from device.keeping.players import PAIR, PLAYER, MatchCounts, Unequal, counts_of, evened, standings
from device.keeping.settings import Settings, head_starts, save
from engine.games import GAMES
from engine.journal import JournalError, match_lines, read_journal
from engine.match import HeadStart, Match
from engine.options import OptionError
from engine.playing import SeedsPlayed
from engine.rating import Rating, rated
from engine.referee.board_judge import BoardJudge
from engine.referee.card_game import CardJudge
from engine.simulate import honest_match

NAMES = ("Zaïna", "Moina", "Ali", "Abdou")
LONG = 40
"""Deals: more than any match takes."""


def one_match(folder: Path, seed: int, names: tuple[str, ...] = NAMES, start: HeadStart | None = None) -> Match:
    """A match of sueca to two games, played to its end and kept."""
    match = Match("sueca", 4, {"target": 2}, names, head_start=start)
    assert isinstance(match.judge, CardJudge)
    record = MatchRecord.begin(folder, match)
    for event in honest_match(match.judge.game, Random(seed), LONG):
        if match.view.winner is None:
            record.add(event)
    record.finish()
    return match


def test_players_and_pairs_have_won_and_lost_with_the_longest_run_and_a_rating(tmp_path: Path) -> None:
    matches = [one_match(tmp_path, seed) for seed in range(3)]
    winners = [match.view.winner for match in matches]
    found = {(line.kind, line.name): line for line in standings([counts_of(match) for match in matches])}
    for side, pair in enumerate(((0, 2), (1, 3))):
        won, name = winners.count(side), " · ".join(NAMES[seat] for seat in pair)
        for key in [(PAIR, name), *((PLAYER, NAMES[seat]) for seat in pair)]:
            line = found[key]
            assert (line.matches, line.won, line.lost, line.drawn) == (3, won, 3 - won, 0)
            assert line.run == max(
                map(len, "".join("w" if side == winner else " " for winner in winners).split()), default=0
            )
            assert bool(line.ratings) == (key[0] == PLAYER)
    zaina, moina = (found[PLAYER, name].ratings["sueca"] for name in NAMES[:2])
    assert (zaina.points > moina.points) == (winners.count(0) > winners.count(1))
    assert zaina.spread < Rating().spread


def test_the_command_tells_it_and_a_player_who_is_forgotten_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("HISABU_HOME", str(tmp_path))
    save(tmp_path / "settings.toml", Settings(matches=str(tmp_path / "matches")))
    for seed in range(2):
        one_match(tmp_path / "matches", seed)
    assert cli.main(["players", "--lang", "en"]) == 0
    told = capsys.readouterr().out
    assert "Zaïna · Ali" in told and "Sueca" in told and "±" in told
    forget("Zaïna", tmp_path / "matches")
    assert cli.main(["players", "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert not any("Zaïna" in line["name"] for line in lines)
    assert not any(line["ratings"] for line in lines), "who is not known by name was played against"


def test_ratings_are_those_of_weng_and_lin() -> None:
    """The figures are openskill 6.1's, for a match of two, a draw of sides, and four who each play alone."""
    fresh = Rating()
    (won,), (lost,) = rated([[fresh], [fresh]], [0, 1])
    assert (round(won.middle, 4), round(won.spread, 4), round(lost.middle, 4)) == (27.6354, 8.0659, 22.3646)
    strong, weak = Rating(30, 2), Rating(20, 4)
    drawn = rated([[strong, weak], [fresh, weak]], [0, 0])
    assert [round(player.middle, 3) for side in drawn for player in side] == [29.965, 19.859, 25.61, 20.141]
    alone = rated([[fresh], [strong], [weak], [fresh]], [2, 0, 1, 3])
    assert [round(side[0].middle, 3) for side in alone] == [24.489, 30.175, 20.594, 19.893]


@pytest.mark.parametrize("game", list(GAMES))
def test_a_head_start_stands_in_the_match_and_in_its_journal(game: str) -> None:
    players = GAMES[game].players
    match = Match(game, players, head_start=HeadStart(1, 1))
    view, again = match.view, read_journal("\n".join(match_lines(match)) + "\n").replay()
    assert again.header.head_start == HeadStart(1, 1) and again.view == view
    if view.games is not None and not GAMES[game].grid:
        assert view.games[1] == 1 and sum(view.games) == 1
    for side, by in ((0, 10_000), (players, 1), (0, 0)):
        with pytest.raises(OptionError, match="head_start"):
            Match(game, players, head_start=HeadStart(side, by))


@pytest.mark.parametrize("game", ["awale", "mraha"])
def test_seeds_change_hands_before_a_game_of_seeds_and_none_is_lost(game: str) -> None:
    for side in (0, 1):
        even, ahead = (Match(game, head_start=start).judge for start in (None, HeadStart(side, 5)))
        assert isinstance(even, BoardJudge) and isinstance(ahead, BoardJudge)
        table = SeedsPlayed(ahead.game)
        fair, given = even.game.opening, ahead.game.opening
        if game == "mraha":
            assert given.sides == fair.sides and given.reserve[side] == 27 and given.reserve[1 - side] == 17
        else:
            assert given.captured[side] == 5 and sum(given.sides[side]) == 24 and sum(given.sides[1 - side]) == 19
        rng = Random(side)
        for _ in range(60):
            if table.is_over():
                break
            table.push(rng.choice(table.legal_moves))
        assert ahead.game.stores(table.position)


def test_a_match_with_a_head_start_is_won_and_lost_but_rates_nobody(tmp_path: Path) -> None:
    match = one_match(tmp_path, 3, start=HeadStart(1, 1))
    assert all(not line.ratings and line.won + line.lost == 1 for line in standings([counts_of(match)]))
    told = ended("\n".join(match_lines(match)) + "\n")
    assert told is not None and told[3] == match.view.winner
    found = recover_file(kept(tmp_path)[0].path)
    assert found is not None and found.match.header.head_start == HeadStart(1, 1) and found.match.view == match.view


def met(game: str, scores: tuple[int, int], most: int, seeds: bool) -> MatchCounts:
    places = (int(scores[0] < scores[1]), int(scores[1] < scores[0]))
    return MatchCounts(game, (), ((("Koko",), ("Ali",)), places), scores, most, seeds)


def test_unequal_players_are_offered_the_head_start_that_evens_them() -> None:
    cards = [met("turufu", scores, 4, False) for scores in ((5, 2), (5, 1), (5, 3))]
    assert evened(cards) == [Unequal("Ali", "Koko", "turufu", 0.0, 3)]
    assert evened(cards[:2]) == [], "two matches say nothing"
    awale = [met("awale", scores, 12, True) for scores in ((30, 18), (28, 20), (32, 16), (22, 26))]
    assert evened(awale) == [Unequal("Ali", "Koko", "awale", 0.25, 4)]
    bao = replace(met("mraha", (1, 0), 12, True), scores=(0, 0))
    assert evened([bao] * 5) == [Unequal("Ali", "Koko", "mraha", 0.0, 4)], "nobody counts seeds"
    assert evened([met("awale", (26, 22), 12, True), met("awale", (22, 26), 12, True)] * 2) == []


def test_the_settings_give_each_game_as_much_as_fits_it() -> None:
    settings = Settings(game="belote", players=4, head_start=300, head_start_side=2)
    assert settings.match().header.head_start == HeadStart(1, 300)
    assert replace(settings, game="sueca").match().header.head_start == HeadStart(1, 3)
    assert replace(settings, game="turufu", head_start_side=3).match().header.head_start is None
    assert replace(settings, head_start=0).match().header.head_start is None
    for kind in GAMES.values():
        choices = head_starts(Settings(game=kind.name, players=kind.players))
        assert choices[0] == 0 and 2 <= len(choices) <= 14


def test_a_head_start_that_is_none_is_refused_with_the_line() -> None:
    match = Match("sueca", head_start=HeadStart(0, 2))
    text = match_lines(match)[0].split(',"crc"')[0] + "}"
    for wrong in ('"by":"2"', '"by":true'):
        with pytest.raises(JournalError):
            read_journal(text.replace('"by":2', wrong) + "\n")
