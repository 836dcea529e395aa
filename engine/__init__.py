"""The games: rules, referee and the match. Standard library only, no I/O.

A match is its list of events. Tell it what happens, and it says what there is to say:

>>> from engine.match import Match
>>> match = Match("sueca", seats=("Zaïna", "Ali", "Fatima", "Saïd"))
>>> match.add({"event": "deal", "dealer": 3, "turn_up": "7H"})
[]
>>> for card in ("AS", "KS", "2S"):
...     said = match.add({"event": "play", "card": card})
>>> match.view.turn, match.view.trump
(3, 'H')
>>> [notice.facts["rule"] for notice in match.add({"event": "play", "card": "9C"})]
['not_in_pack']
>>> said = match.add({"event": "undo"})
>>> [(notice.code, notice.facts["seat"]) for notice in match.add({"event": "play", "card": "4H"})]
[('trick', 3)]
>>> match.view.points
(0, 15)

To play instead of to judge, there is a table with hands: `legal_moves`, `push`, `pop`, `is_over`, `result`.

>>> from random import Random
>>> from engine.playing import new_game
>>> game = new_game("awale", rng=Random(1))
>>> while not game.is_over():
...     game.push(game.legal_moves[0])
>>> game.result().winner
1

`engine.games` knows every game; `engine.rules` are their rules; `engine.journal` writes a match down.
"""
