"""The judge of the card games: what each event at a card table means, and which rule it breaks.

A card may be taken back until its trick is taken up: by a taken event, by the next lead, or by the end of the deal.
The state is immutable and small; a match keeps one for each event.
"""

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engine.cards import Card, rank_of, suit_of
from engine.events import (
    Answer,
    Board,
    Choose,
    Confirm,
    Deal,
    EventError,
    GameEvent,
    Offer,
    Pillage,
    Play,
    Taken,
    TakenBack,
    TurnUpSeen,
    VoidDeal,
)
from engine.notices import ALERT, ASK, INFO, NO, YES, Notice, illegal, question
from engine.referee.card_view import points_shown, possible, shown, spread, tricks_taken, view_of
from engine.referee.deal import PROVEN, PROVISIONAL, CardState, DealState, Owed, Result, all_laid
from engine.referee.judge import Amendment
from engine.referee.proof import INNOCENT, Outside, Shown, Verdict, prove
from engine.referee.tricks import (
    SURE_CARD,
    DealReading,
    Laid,
    Trick,
    as_read,
    certain_winners,
    contested,
    deal_readings,
    in_seat_order,
    may_be,
    possible_winners,
    trick_points,
    trick_worth,
    unlisted,
)
from engine.rules.tricks import Outcome, Score, TrickGame
from engine.rules.triomphe import Triomphe
from engine.rules.turufu import ALL_POINTS, Turufu
from engine.seats import order_from, single
from engine.view import Range, View

Judged = tuple[CardState, tuple[Notice, ...]]


@dataclass(frozen=True)
class CardJudge:
    """Judges turufu, triomphe and L'As qui pille."""

    game: TrickGame

    @property
    def players(self) -> int:
        return self.game.players

    def start(self) -> CardState:
        return CardState(self.game.opening_score())

    # -- events ------------------------------------------------------------------------------------------------------

    def apply(self, state: CardState, number: int, event: GameEvent) -> Judged:
        self._check_seats(event)
        match event:
            case Deal():
                after, notices = self._deal(state, number, event)
            case VoidDeal():
                after, notices = self._void(state, number, event)
            case TurnUpSeen():
                after, notices = self._turn_up_seen(state, number, event)
            case Play():
                after, notices = self._play(state, number, event)
            case TakenBack():
                after, notices = self._taken_back(state, number, event)
            case Taken():
                after, notices = self._taken(state, number, event)
            case Offer():
                after, notices = self._offer(state, number, event)
            case Answer():
                after, notices = self._answer(state, event)
            case Pillage():
                after, notices = self._pillage(state, number, event)
            case Confirm():
                return self._confirm(state, event), ()
            case Choose():
                after, notices = self._choose(state, event)
            case Board():
                raise EventError(f"a board belongs to mraha; this is {self.game.name}")
        if after.deal is not None and after.deal.told is None:
            fallen = _penalties_of_this_deal(after)
            after = replace(after, questions=tuple(one for one in after.questions if one not in fallen))
        notices = (*notices, *self._ask_penalties(after, number))
        return self._remember(after, notices), notices

    def amendment(self, state: CardState, event: GameEvent) -> Amendment | None:
        if isinstance(event, Choose):
            asked = self._asked(state, event)
            if asked.facts["about"] == "card":
                return Amendment(asked.facts["card_number"], {"card": event.answer, "confidence": 1.0})
            if asked.facts["about"] == "leader":
                return Amendment(asked.facts["card_number"], {"seat": int(event.answer)})
            if asked.facts["about"] == "counts":
                return Amendment(asked.facts["card_number"], {"counts": event.answer == asked.facts["choices"][1]})
        return None

    def _check_seats(self, event: GameEvent) -> None:
        for name in ("seat", "dealer"):
            seat = getattr(event, name, None)
            if seat is not None and seat >= self.players:
                raise EventError(f"{name} {seat}: this table has seats 0 to {self.players - 1}")

    def _remember(self, state: CardState, notices: tuple[Notice, ...]) -> CardState:
        """Alert and question stay in view until something settles them."""
        for notice in notices:
            if notice.level == ALERT or notice.code == "revoke":
                state = replace(state, alert=notice)
            elif notice.code == "question":
                state = replace(state, questions=(*state.questions, notice))
        return state

    def _confirm(self, state: CardState, event: Confirm) -> CardState:
        if state.alert and state.alert.facts.get("number") == event.number:
            return replace(state, alert=None)
        return state

    def _asked(self, state: CardState, event: Choose) -> Notice:
        """The question answered: of two that one event raised, the later is in view."""
        asked = [one for one in reversed(state.questions) if one.facts["question"] == event.question]
        if not asked:
            raise EventError(f"choose: no question {event.question} is open")
        for one in asked:
            if event.answer in one.facts["choices"]:
                return one
        raise EventError(f"choose: {event.answer!r} is not one of {', '.join(asked[0].facts['choices'])}")

    # -- deals -------------------------------------------------------------------------------------------------------

    def _deal(self, state: CardState, number: int, event: Deal) -> Judged:
        if event.turn_up not in self.game.whole_pack:
            return state, (illegal("not_in_pack", number=number, seat=event.dealer, cards=[event.turn_up]),)
        state, played = self._markers_played(state, None)
        notices = tuple(played)
        deal = state.deal
        if deal is not None and deal.result is None and all_laid(deal):
            if self._still_this_deal(deal, event):
                if event.turn_up == deal.turn_up:
                    return replace(state, deal=self._dealt(deal, event.dealer)), ()
                return state, (self._turn_up_changed(deal, number, event.turn_up, event.dealer),)
            notices = (*notices, *self._broken_off(deal, number))
        score, match_number = self._score_now(state)
        dealers = state.dealers if event.dealer is None else frozenset({event.dealer})
        if event.dealer is None and deal is not None and deal.result is None and not all_laid(deal):
            dealers = frozenset((seat - 1) % self.players for seat in deal.first_leads)  # The same deal, read anew.
        leads = frozenset((dealer + 1) % self.players for dealer in dealers or range(self.players))
        fresh = DealState(event.turn_up, suit_of(event.turn_up), single(dealers), leads, leads, leads)
        owed = self._still_owed(state, number) if match_number == state.match else ()
        questions = tuple(one.question for one in owed)
        return CardState(score, fresh, match=match_number, questions=questions, owed=owed), notices

    def _score_now(self, state: CardState) -> tuple[Score, int]:
        """What the next deal begins with: the score after the last, or another match's if that is won; and which."""
        if state.deal is None or state.deal.result is None:
            return state.score, state.match
        score = state.deal.result.score
        if score.winner(self.game.target) is None:
            return score, state.match
        return self.game.opening_score(), state.match + 1

    def _still_this_deal(self, deal: DealState, event: Deal) -> bool:
        """Whether a deal seen in the middle of one is that same one (its turn-up looked at, or swapped)."""
        left = self.game.tricks * self.players - len(all_laid(deal))
        if event.dealer is None or self.game.options.get("dealer_rotates") == "match":
            return left > self.players
        dealer = deal.dealt_by(self.players)
        if dealer is None:
            return left > self.players and event.turn_up == deal.turn_up
        return event.dealer == dealer

    def _dealt(self, deal: DealState, dealer: int | None) -> DealState:
        """The deal, now that somebody says who dealt it: that seat's neighbour led the first trick."""
        if dealer is None or deal.dealt_by(self.players) is not None:
            return deal
        deal = replace(deal, dealer=dealer)
        return deal if deal.done else self._leader_from(deal, (dealer + 1 + len(deal.plays)) % self.players)

    def _broken_off(self, deal: DealState, number: int) -> tuple[Notice, ...]:
        """The next deal began before this one was played out."""
        not_scored = Notice("not_scored", ASK, {"number": number})
        owed = self.game.tricks * self.players - len(all_laid(deal))
        perhaps_played = [one for one in (*deal.aside, *deal.markers) if not one.sure]
        if owed <= len(perhaps_played):
            return (not_scored,)
        missing = self._unseen(deal) if isinstance(self.game, Turufu) else []
        facts = {"number": number, "trick": deal.trick_number, "cards": missing, "missing": owed}
        return (illegal("cards_missing", **facts), not_scored)

    def _void(self, state: CardState, number: int, event: VoidDeal) -> Judged:
        deal = state.deal
        if deal is None:
            raise EventError("no deal is under way")
        if deal.result is not None:  # The next one went wrong before its turned-up card was seen.
            score, match_number = self._score_now(state)
            owed = self._still_owed(state, number) if match_number == state.match else ()
            questions = tuple(one.question for one in owed)
            state = replace(state, score=score, match=match_number, deal=None, alert=None)
            return replace(state, questions=questions, owed=owed), ()
        dealer = deal.dealt_by(self.players)
        dealers = frozenset() if dealer is None else frozenset({dealer})
        if dealer is not None and event.confidence < SURE_CARD:
            following = self.game.next_dealers(dealer, match_won=False)
            dealers = dealers | following if following else following
            dealer = single(dealers)
        questions = tuple(one.question for one in state.owed)
        return replace(state, deal=None, dealer=dealer, dealers=dealers, alert=None, questions=questions), ()

    def _turn_up_seen(self, state: CardState, number: int, event: TurnUpSeen) -> Judged:
        if state.deal is not None and state.deal.ended_early:
            return state, ()
        deal = self._open_deal(state)
        drawn = self.game.draws and len(deal.done) >= self.game.draws
        if drawn or event.card == deal.turn_up:
            return state, ()
        if deal.turn_up is None:  # Turned up in a pillage, and not seen then.
            return replace(state, deal=replace(deal, turn_up=event.card)), ()
        return state, (self._turn_up_changed(deal, number, event.card, None),)

    def _turn_up_changed(self, deal: DealState, number: int, card: Card, seat: int | None) -> Notice:
        before = [] if deal.turn_up is None else [deal.turn_up]
        return illegal("turn_up_changed", number=number, seat=seat, trick=deal.trick_number, cards=[*before, card])

    def _open_deal(self, state: CardState) -> DealState:
        if state.deal is None:
            raise EventError("no deal is under way; a deal event begins one")
        if state.deal.result is not None:
            raise EventError("the deal is over; a deal event begins the next")
        return state.deal

    # -- plays -------------------------------------------------------------------------------------------------------

    def _play(self, state: CardState, number: int, event: Play) -> Judged:
        deal = state.deal
        if deal is not None and deal.ended_early:
            return state, ()  # The hands are laid open.
        if deal is not None and (deal.result is not None or self._played_out(deal)):
            return self._one_too_many(state, deal, number, event)
        if self._perhaps_a_marker(event):
            return self._marker(state, number, event)
        state, notices = self._markers_played(state, event.seat)
        deal = self._open_deal(state)
        game = self.game
        complete = len(deal.plays) == self.players
        trick_number = deal.trick_number + (1 if complete else 0)
        facts: dict[str, Any] = {"number": number, "trick": trick_number}
        card, sure = event.card, event.confidence >= SURE_CARD
        candidates = tuple(one for one in event.candidates if one in game.whole_pack)
        deduced = None if card else self._deduced(deal, candidates, event.seat, trick_number)
        if deduced is not None:
            card, sure = deduced, True
        if event.card is not None and sure:
            deal = self._not_deduced(deal, event.card)
        in_pack = card is None or card in game.whole_pack
        where = self._seen_where(deal, card, event.seat, trick_number) if card and in_pack else None
        if not in_pack:
            seat = event.seat if event.seat is not None else self._turn(deal, surely=True)
            after = replace(state, deal=replace(deal, aside=(*deal.aside, Laid(number, seat, card))))
            return after, (illegal("not_in_pack", **facts, seat=seat, cards=[card]),)
        if complete:
            if event.before_taken:
                seat = event.seat if event.seat is not None else single(deal.sure_lead)
                notices.append(illegal("before_taken", **facts, seat=seat, cards=[card] if card else []))
            deal, more = self._take_up(deal, number)
            notices += more

        before = deal
        seat, deal, turn_notices = self._seat_of(deal, event.seat, facts, card, event.order_sure)
        guessed = event.seat is None and self._turn(before, surely=True) != seat
        notices += [*self._told_late(before, deal), *turn_notices]
        laid = Laid(
            number,
            seat,
            card,
            candidates,
            sure,
            deduced=deduced is not None,
            order_sure=event.order_sure and not guessed,
            guessed=guessed,
            counts=event.counts,
        )
        if not laid.known:
            why = "not_read" if card is None else "seen_before" if where else "not_sure"
            notices.append(_unreadable(facts, seat, [card] if card else list(candidates), why))
        elif where is not None:
            notices.append(illegal("seen_before", **facts, seat=seat, cards=[card], first_seen=where))
            # One of the two readings may be the wrong one: neither takes part in a proof.
            twice = {one.number for one in all_laid(deal) if one.known == card}
            deal = replace(deal, doubted=deal.doubted | twice | {number})
        else:
            assert card is not None
            deal = replace(deal, seen={**deal.seen, card: (seat, trick_number, number)})
        if any(one.facts.get("rule") == "two_from_one_seat" for one in turn_notices):
            deal = self._with_second(deal, laid)
        else:
            deal = replace(deal, plays=(*deal.plays, laid))
        if laid.known and event.seat is not None and laid.order_sure and where is None:
            notices += self._ace_elsewhere(deal, laid, facts)
        after, more = self._laid_down(self._cleared(state, deal, trick_begun=len(deal.plays) == 1), number)
        return after, (*notices, *more)

    def _perhaps_a_marker(self, event: Play) -> bool:
        """Read in doubt, and as no card of this game: markers lie beside the tricks, and plays are misread."""
        read = (event.card,) if event.card else event.candidates
        doubtful = event.card is None or event.confidence < SURE_CARD
        return doubtful and bool(read) and self.game.whole_pack.isdisjoint(read)

    def _marker(self, state: CardState, number: int, event: Play) -> Judged:
        """Not a play before something says so."""
        deal = self._open_deal(state)
        laid = Laid(number, event.seat, event.card, event.candidates, sure=False)
        trick = deal.trick_number + (len(deal.plays) == self.players)
        seen = [event.card] if event.card else list(event.candidates)
        asked = _unreadable({"number": number, "trick": trick}, event.seat, seen, "not_in_pack")
        return replace(state, deal=replace(deal, markers=(*deal.markers, laid))), (asked,)

    def _markers_played(self, state: CardState, said: int | None) -> tuple[CardState, list[Notice]]:
        """Where a seat would be out of turn, the same with what was taken for markers as plays, if that puts it right.
        No seat: the deal ended, and they were plays if that makes it whole."""
        deal = state.deal
        trial, notices = state, list[Notice]()
        if deal is None or not deal.markers or (said is not None and self._in_turn(deal, said)):
            return state, []
        for marker in deal.markers:
            now = trial.deal
            assert now is not None
            seat = marker.seat if marker.seat is not None else self._turn(now, surely=True)
            if seat is None or now.result is not None or not self._in_turn(now, seat):
                continue
            left = tuple(one for one in now.markers if one is not marker)
            unread = Play(None, seat, order_sure=False)
            trial, more = self._play(replace(trial, deal=replace(now, markers=left)), marker.number, unread)
            notices += [one for one in more if one.code != "unreadable"]  # It was asked about when it was seen.
            assert trial.deal is not None
            right = self._in_turn(trial.deal, said) if said is not None else self._played_out(trial.deal)
            if right:
                return trial, notices
        return state, []

    def _in_turn(self, deal: DealState, seat: int) -> bool:
        """Whether nothing that was read speaks against a card of this seat now."""
        if not deal.plays and deal.leader is not None:
            return seat == deal.leader
        if not deal.plays or len(deal.plays) == self.players:
            return seat in deal.sure_lead
        return deal.leader is None or seat == self._turn(deal) or any(one.guessed for one in deal.plays)

    def _with_second(self, deal: DealState, second: Laid) -> DealState:
        """A seat's second card beside its first, or in its place if somebody said that it is the one that counts."""
        if not second.counts:
            return replace(deal, extras=(*deal.extras, second))
        first = next(one for one in deal.plays if one.seat == second.seat)
        plays = tuple(second if one is first else one for one in deal.plays)
        return replace(deal, plays=plays, extras=(*deal.extras, replace(first, counts=False)))

    def _deduced(self, deal: DealState, candidates: Sequence[Card], seat: int | None, trick: int) -> Card | None:
        """Which of these it was, where the others lie in the same trick, and it may be the one that is left."""
        beside = {one.known for one in deal.plays} if trick == deal.trick_number else set()
        left = [one for one in candidates if one not in beside]
        if len(left) != 1 or len(candidates) == 1 or self._seen_where(deal, left[0], seat, trick) is not None:
            return None
        return left[0]

    def _not_deduced(self, deal: DealState, card: Card) -> DealState:
        """The deal when this card is read elsewhere than where it was deduced to lie: that one is unread again."""
        if not any(one.deduced and one.card == card for one in all_laid(deal)):
            return deal

        def mended(plays: Sequence[Laid]) -> tuple[Laid, ...]:
            return tuple(one for play in plays for one in (unlisted([play]) if play.card == card else (play,)))

        seen = {one: where for one, where in deal.seen.items() if one != card}
        deal = replace(deal, plays=mended(deal.plays), extras=mended(deal.extras), seen=seen)
        unseen = [one for one in self._unseen(deal) if one != card]
        done = []
        for trick in deal.done:
            if any(one.deduced and one.card == card for one in trick.plays):
                plays = mended(trick.plays)
                leads = frozenset(range(self.players)) if trick.leader is None else frozenset({trick.leader})
                points = trick_points(self.game, deal.trump, plays, trick.extras, leads, trick.winners, unseen)
                trick = replace(trick, plays=plays, points=points)
            done.append(trick)
        return replace(deal, done=tuple(done))

    def _one_too_many(self, state: CardState, deal: DealState, number: int, event: Play) -> Judged:
        """A card after the last: one that was counted before it was none. Corrected, this one counts in its place."""
        aside = (*deal.aside, Laid(number, event.seat, event.card, event.candidates, event.confidence >= SURE_CARD))
        facts = {"number": number, "trick": deal.trick_number}
        cards = [event.card] if event.card else list(event.candidates)
        return replace(state, deal=replace(deal, aside=aside)), (_unreadable(facts, event.seat, cards, "one_too_many"),)

    def _laid_down(self, state: CardState, number: int) -> tuple[CardState, list[Notice]]:
        """Whatever follows from the cards that lie there now: a complete trick, the end of the deal."""
        deal = state.deal
        assert deal is not None
        if len(deal.plays) < self.players and not self._played_out(deal):
            return state, []
        deal, notices = self._complete(deal)
        state = self._cleared(state, deal, trick_begun=False)
        if self._played_out(deal):
            state, more = self._finish(state, number)
            notices += more
        return state, notices

    def _played_out(self, deal: DealState) -> bool:
        """The last trick is complete, or as complete as it can be after a seat threw two cards into one."""
        last = len(deal.plays) == self.players and deal.trick_number == self.game.tricks
        return last or (bool(deal.plays) and len(all_laid(deal)) >= self.game.tricks * self.players)

    def _cleared(self, state: CardState, deal: DealState, trick_begun: bool) -> CardState:
        """A new trick takes alerts about cards on the table away; a revoke stays until the next deal."""
        alert = state.alert
        settled = deal.told is None if alert and alert.code == "revoke" else trick_begun
        if settled:
            alert = None
        return replace(state, deal=deal, alert=alert)

    def _seen_where(self, deal: DealState, card: Card, seat: int | None, trick: int) -> dict[str, Any] | None:
        """Where a card was that now lies in a trick, if it cannot be there."""
        if card in deal.seen:
            return {"seat": deal.seen[card][0], "trick": deal.seen[card][1]}
        if card == deal.turn_up and (not self.game.draws or trick <= self.game.draws):
            return {"turn_up": True}
        if card in deal.paid:
            return {"paid": deal.pillager}
        if card in deal.pillaged and None not in (seat, deal.pillager) and seat != deal.pillager:
            return {"pillaged": deal.pillager}
        return None

    def _turn(self, deal: DealState, surely: bool = False) -> int | None:
        """Whose turn it is; None while that depends on a card that could not be read, or nobody's. surely: whatever
        the candidates of such a card say."""
        if deal.result is not None:
            return None
        if not deal.plays or len(deal.plays) == self.players:
            leads = deal.sure_lead if surely else deal.may_lead
            return deal.leader if deal.leader is not None and not deal.plays else single(leads)
        if deal.leader is None or (surely and any(one.guessed for one in deal.plays)):
            return None
        there = {one.seat for one in deal.plays}
        return next((seat for seat in order_from(deal.leader, self.players) if seat not in there), None)

    def _seat_of(
        self, deal: DealState, said: int | None, facts: Mapping[str, Any], card: Card | None, order_sure: bool
    ) -> tuple[int | None, DealState, list[Notice]]:
        """Whose card this is, and whether it was that seat's turn. Where the order was not sure, a lead only tells who
        won the trick before."""
        cards = [card] if card else []
        turn = self._turn(deal)
        if not deal.plays:
            may_lead = frozenset({deal.leader}) if deal.leader is not None else deal.sure_lead
            if said is None:
                return turn, replace(deal, leader=turn), []
            if said in may_lead or not order_sure:
                return said, self._narrowed(replace(deal, leader=said)), []
            deal = replace(deal, leader=said, wrong_leads=deal.wrong_leads | {deal.trick_number})
            expected = sorted(may_lead)
            return said, deal, [illegal("wrong_leader", **facts, seat=said, cards=cards, expected=expected)]
        if said is None:
            return turn, deal, []
        if said in {one.seat for one in deal.plays if not one.guessed}:
            first = [one.card for one in deal.plays if one.seat == said and one.card]
            return said, deal, [illegal("two_from_one_seat", **facts, seat=said, cards=[*first, *cards])]
        if said != turn and any(one.guessed for one in deal.plays):
            plays = tuple(replace(one, seat=None) if one.guessed else one for one in deal.plays)
            deal = replace(deal, leader=None, plays=plays)
        if deal.leader is None:
            if said in deal.sure_lead and all(one.seat is not None for one in deal.plays):
                return said, replace(deal, leader=said), []  # The lead that was owed, after a wrong one was lifted.
            return said, self._leader_from(deal, said), []
        if said != turn:
            return said, deal, [illegal("out_of_turn", **facts, seat=said, cards=cards, expected=[turn])]
        return said, deal, []

    def _narrowed(self, deal: DealState) -> DealState:
        """Who leads tells who won the trick before, if that was open, or was taken to be another by candidates."""
        if deal.leader is None or not deal.done or deal.done[-1].winners == {deal.leader}:
            return deal
        last = deal.done[-1]
        winners = frozenset({deal.leader})
        if not winners <= last.winners:
            deal = replace(deal, seen=self._seen_without_lists(deal, last.plays))
            last = replace(last, plays=unlisted(last.plays))
        leads = frozenset(range(self.players)) if last.leader is None else frozenset({last.leader})
        points = trick_points(self.game, deal.trump, last.plays, last.extras, leads, winners, self._unseen(deal))
        return replace(deal, done=(*deal.done[:-1], replace(last, winners=winners, points=points)))

    def _seen_without_lists(self, deal: DealState, plays: Sequence[Laid]) -> dict[Card, tuple[int | None, int, int]]:
        deduced = {one.number for one in plays if one.deduced}
        return {card: where for card, where in deal.seen.items() if where[2] not in deduced}

    def _leader_from(self, deal: DealState, seat: int) -> DealState:
        """A seat seen in a trick whose leader was open tells who led it."""
        leader = (seat - len(deal.plays)) % self.players
        if leader not in deal.sure_lead or any(one.seat is not None for one in deal.plays):
            return deal
        plays = tuple(
            replace(one, seat=(leader + place) % self.players, guessed=True) for place, one in enumerate(deal.plays)
        )
        return self._narrowed(replace(deal, leader=leader, plays=plays))

    def _unseen(self, deal: DealState) -> list[Card]:
        """Cards that may still turn up in a trick."""
        return self._left(deal, deal.seen)

    def _surely_unseen(self, deal: DealState) -> list[Card]:
        """Cards that an unread one may be, whatever it was taken for."""
        return self._left(deal, [as_read(one, deal.doubted).known for one in all_laid(deal)])

    def _left(self, deal: DealState, seen: Container[Card | None]) -> list[Card]:
        open_card = deal.turn_up if not self.game.draws or deal.trick_number <= self.game.draws else None
        return [card for card in self.game.pack if card not in seen and card != open_card and card not in deal.paid]

    # -- tricks ------------------------------------------------------------------------------------------------------

    def _complete(self, deal: DealState) -> tuple[DealState, list[Notice]]:
        """Every seat has a card in the trick: who won it, and what it proves."""
        game = self.game
        plays = in_seat_order(deal.plays, deal.leader, self.players)
        unseen = self._unseen(deal)
        led = frozenset() if deal.leader is None else frozenset({deal.leader})
        sure = certain_winners(
            game, deal.trump, plays, deal.extras, led or deal.sure_lead, self._surely_unseen(deal), deal.doubted
        )
        winners = possible_winners(game, deal.trump, plays, led or deal.may_lead, unseen) & sure or sure
        notices = [self._whole_trick(deal.trick_number, plays, deal.extras, winners, unseen)]
        deal = replace(deal, may_lead=winners, sure_lead=sure)
        deal = replace(deal, verdict=self._prove(deal, doubting=False))
        told = deal.told[0] if deal.told else INNOCENT
        if not deal.verdict.explanations:
            deal = replace(deal, told=None)  # A reading was contradicted since: what it proved falls with it.
        elif _gist(deal.verdict) != _gist(told):
            deal, notice = self._tell(deal, PROVISIONAL)
            notices.append(notice)
        return deal, notices

    def _whole_trick(
        self, number: int, plays: Sequence[Laid], extras: Sequence[Laid], winners: frozenset[int], unseen: list[Card]
    ) -> Notice:
        facts: dict[str, Any] = {"trick": number, "seat": single(winners), "cards": [one.card for one in plays]}
        if points_shown(self.game):
            facts["points"] = shown(trick_worth(self.game, (*plays, *extras), unseen))
        if len(winners) > 1:
            facts["seats"] = sorted(winners)
        return Notice("trick", INFO, facts)

    def _told_late(self, before: DealState, deal: DealState) -> list[Notice]:
        """The last trick once more, if only the lead after it told who took it."""
        if not before.done or single(before.done[-1].winners) == single(deal.done[-1].winners):
            return []
        last = deal.done[-1]
        return [self._whole_trick(len(deal.done), last.plays, last.extras, last.winners, self._unseen(deal))]

    def _take_up(self, deal: DealState, number: int) -> tuple[DealState, list[Notice]]:
        """The trick on the table is gathered: what was seen in it stands from now on."""
        deal, notices = self._tell_if_proven(deal)
        notices += self._ask_which_counts(deal, number)
        trick = self._table_trick(deal)
        last = max(one.number for one in deal.plays)
        stay = tuple(one for one in deal.markers if one.number > last)
        gone = tuple(one for one in deal.markers if one.number < last)
        deal = replace(deal, markers=stay, aside=(*deal.aside, *gone))
        taken = replace(
            deal, done=(*deal.done, trick), plays=(), extras=(), leader=None, committed=(deal.verdict, deal.told)
        )
        return taken, notices

    def _tell_if_proven(self, deal: DealState) -> tuple[DealState, list[Notice]]:
        """What was provisional while its trick lay there is told, if it stands beyond doubt."""
        if deal.told is None or deal.told[1] != PROVISIONAL:
            return deal, []
        beyond_doubt = deal.verdict if self._whole(deal) else self._prove(deal, doubting=True)
        if _gist(beyond_doubt) != _gist(deal.verdict):
            return deal, []
        deal, notice = self._tell(replace(deal, verdict=beyond_doubt), PROVEN)
        return deal, [notice]

    def _ask_which_counts(self, deal: DealState, number: int) -> list[Notice]:
        """A trick goes that holds two cards of one seat: which of them was played?"""
        asked = []
        for second in contested(deal.extras):
            first = next((one for one in deal.plays if one.seat == second.seat), None)
            if first is not None and first.card and second.card and first.card != second.card:
                facts = {"card_number": second.number, "seat": second.seat, "trick": deal.trick_number}
                asked.append(question(number, "counts", [first.card, second.card], **facts))
        return asked

    def _table_trick(self, deal: DealState) -> Trick:
        plays = tuple(in_seat_order(deal.plays, deal.leader, self.players))
        leads = self._owed_lead(deal) if deal.leader is None else frozenset({deal.leader})
        points = trick_points(self.game, deal.trump, plays, deal.extras, leads, deal.may_lead, self._unseen(deal))
        return Trick(plays, deal.leader, deal.may_lead, points, deal.extras, deal.sure_lead)

    def _tell(self, deal: DealState, level: str) -> tuple[DealState, Notice]:
        verdict = deal.verdict
        claims = [
            {
                "seat": one.claim[0],
                "trick": one.claim[1],
                "card": one.card,
                "shown": list(one.shown),
                "among": list(one.among),
                "elsewhere": max(len(one.among) - 1, 0),
                "duty": one.duty,
                "certain": one.claim in verdict.certain,
            }
            for one in verdict.evidence
        ]
        facts: dict[str, Any] = {
            "level_of_proof": level,
            "explanations": [[list(claim) for claim in one] for one in verdict.explanations],
            "certain": [list(claim) for claim in verdict.certain],
            "guilty": sorted(verdict.guilty),
            "guilty_sides": sorted(verdict.guilty_sides),
            "after_trick": deal.trick_number,
            "duty": claims[0]["duty"],
            "claims": claims,
        }
        if len(claims) == 1 and claims[0]["certain"] and level == PROVEN:
            facts |= {"seat": claims[0]["seat"], "trick": claims[0]["trick"]}
        told = replace(deal, told=(verdict, level))
        return told, Notice("revoke", ALERT if level == PROVEN else INFO, facts)

    def _whole(self, deal: DealState) -> bool:
        """Every card of the deal so far was seen exactly once, and in an order that the hands do not gainsay."""
        return not deal.doubted and all(one.known and not one.deduced and one.order_sure for one in all_laid(deal))

    def _last_drawer(self, deal: DealState, tricks: Sequence[Trick]) -> int | None:
        """Who drew the turned-up card, if the cards alone tell who won the last trick before a draw."""
        if not self.game.draws or len(tricks) < self.game.draws:
            return None
        winners = tricks[self.game.draws - 1].sure_winners
        dealers = range(self.players) if deal.dealer is None else (deal.dealer,)
        drawers = {self.game.last_drawer(winner, dealer) for winner in winners for dealer in dealers}
        return drawers.pop() if len(drawers) == 1 else None

    def _prove(self, deal: DealState, doubting: bool) -> Verdict:
        """What the cards prove. doubting: without those that were not read for sure, or are perhaps another seat's."""
        tricks = [*deal.done, self._table_trick(deal)]
        drawer = self._last_drawer(deal, tricks)
        outside = Outside(deal.turn_up, drawer, deal.pillager, deal.pillaged, deal.paid, deal.paid_unseen)
        counted: set[Card] = set()
        shown = [[*self._shown(deal, trick, doubting, counted)] for trick in tricks]
        return prove(self.game, deal.trump, shown, outside)

    def _shown(self, deal: DealState, trick: Trick, doubting: bool, counted: set[Card]) -> Iterator[Shown]:
        """A trick as the proof reads it. A card seen twice counts once; a play before the lead binds to nothing, nor
        does one in a trick of which nobody has said which of two cards counts."""
        in_order = [one.number for one in trick.plays] == sorted(one.number for one in trick.plays)
        anybodys = doubting and not all(one.order_sure for one in trick.plays)
        for one in (*trick.plays, *trick.extras):
            card = one.card
            if (
                card in counted
                or anybodys
                or one.number in deal.doubted
                or card not in self.game.whole_pack
                or one.deduced
                or (doubting and not one.sure)
            ):
                card = None
            if card is not None:
                counted.add(card)
            yield Shown(one.seat, card, free=not in_order or bool(trick.contested) or one in trick.extras)

    def _taken(self, state: CardState, number: int, event: Taken) -> Judged:
        deal = state.deal
        if deal is not None and deal.ended_early:
            return state, ()
        if deal is not None and deal.gathered and deal.aside:
            return replace(state, deal=replace(deal, aside=())), ()  # What came after the last card went along.
        all_doubtful = deal is not None and not deal.plays and len(deal.markers) >= self.players
        if deal is None or deal.gathered or not (deal.plays or all_doubtful):
            raise EventError("taken: no trick lies on the table")
        notices: list[Notice] = []
        facts: dict[str, Any] = {"number": number, "trick": deal.trick_number}
        if len(deal.plays) < self.players and deal.result is None:
            deal, more = self._with_unseen(deal, number)
            notices += more
            deal, more = self._complete(deal)
            notices += more
        side = self.game.sides[event.seat]
        can_have = frozenset(seat for seat in deal.sure_lead if self.game.sides[seat] == side)
        winners = deal.may_lead & can_have or can_have
        if not winners and event.confidence < SURE_CARD:
            winner = single(deal.sure_lead)
            cards = [one.card for one in deal.plays if one.card]
            about = {"trick": deal.trick_number, "seat": event.seat, "winner": winner, "cards": cards}
            notices.append(question(number, "taken", [YES, NO], **about))
        elif not winners:
            cards = [one.card for one in deal.plays if one.card]
            winner = single(deal.sure_lead)
            notices.append(illegal("taken_by_wrong_side", **facts, seat=event.seat, cards=cards, winner=winner))
        elif deal.result is None:
            if winners != deal.may_lead and single(winners) is not None:
                plays = in_seat_order(deal.plays, deal.leader, self.players)
                notices.append(self._whole_trick(deal.trick_number, plays, deal.extras, winners, self._unseen(deal)))
            if not winners & deal.may_lead:
                seen = self._seen_without_lists(deal, deal.plays)
                deal = replace(deal, plays=unlisted(deal.plays), seen=seen)
            deal = replace(deal, may_lead=winners)
        after = replace(state, deal=deal)
        if deal.result is None and self._played_out(deal):
            after, more = self._finish(after, number)
            notices += more
            assert after.deal is not None
            deal = after.deal
        if deal.result is not None or self._played_out(deal):
            return replace(after, deal=replace(deal, gathered=True)), tuple(notices)
        deal, more = self._take_up(deal, number)
        return self._cleared(after, deal, trick_begun=True), (*notices, *more)

    def _with_unseen(self, deal: DealState, number: int) -> tuple[DealState, list[Notice]]:
        """A trick gathered with cards that nobody saw, or that were taken for markers."""
        notices = []
        while len(deal.plays) < self.players:
            seat = self._turn(deal)
            marker = next((one for one in deal.markers if seat is None or one.seat in (seat, None)), None)
            if marker is None:
                laid = Laid(number, seat, None, played=False)
                facts = {"number": number, "trick": deal.trick_number}
                notices.append(_unreadable(facts, seat, [], "not_seen"))
            else:
                whose = seat if marker.seat is None else marker.seat
                laid = replace(marker, seat=whose, card=None, candidates=(), order_sure=False)
                deal = replace(deal, markers=tuple(one for one in deal.markers if one is not marker))
            deal = replace(deal, plays=(*deal.plays, laid))
        return deal, notices

    def _taken_back(self, state: CardState, number: int, event: TakenBack) -> Judged:
        deal = state.deal
        if deal is not None and deal.ended_early:
            return state, ()
        settled = state.alert is not None and state.alert.facts.get("number") == event.number
        if deal is not None and event.number in {one.number for one in (*deal.aside, *deal.markers)}:
            lifted = replace(
                deal,
                aside=tuple(one for one in deal.aside if one.number != event.number),
                markers=tuple(one for one in deal.markers if one.number != event.number),
            )
            return replace(state, deal=lifted, alert=None if settled else state.alert), ()
        lying = {one.number: one for one in (*deal.plays, *deal.extras)} if deal and not deal.gathered else {}
        if deal is None or event.number not in lying:
            done = deal is not None and event.number in {one.number for one in all_laid(deal)}
            why = "its trick was taken up" if done else "it put no card on the table"
            raise EventError(f"taken_back: event {event.number}: {why}")
        seat = lying[event.number].seat
        stay = [one for one in deal.extras if one.number != event.number]
        plays = [one for one in deal.plays if one.number != event.number]
        instead = next((one for one in stay if seat is not None and one.seat == seat), None)
        if instead is not None and len(plays) < len(deal.plays):
            # A second card was put down for the first: now it is the one that counts.
            stay.remove(instead)
            plays = sorted([*plays, instead], key=lambda one: one.number)
        elif deal.leader == seat and (not plays or deal.trick_number in deal.wrong_leads):
            deal = replace(deal, leader=None, wrong_leads=deal.wrong_leads - {deal.trick_number})
        if not plays:
            deal = replace(deal, leader=None)
        seen = {card: where for card, where in deal.seen.items() if where[2] != event.number}
        verdict, told = deal.committed
        deal = replace(
            deal,
            plays=tuple(plays),
            extras=tuple(stay),
            seen=seen,
            doubted=deal.doubted - {event.number},
            verdict=verdict,
            told=told,
            result=None,
            may_lead=self._owed_lead(deal),
            sure_lead=deal.done[-1].sure_winners if deal.done else deal.first_leads,
        )
        alert = None if settled or (state.alert and state.alert.code == "revoke" and told is None) else state.alert
        since = min(lying)
        questions = tuple(one for one in state.questions if one.facts["question"] < since)
        after, notices = self._laid_down(replace(state, deal=deal, alert=alert, questions=questions), number)
        return after, tuple(notices)

    def _owed_lead(self, deal: DealState) -> frozenset[int]:
        """Who may lead the trick on the table, as the tricks before it say."""
        return deal.done[-1].winners if deal.done else deal.first_leads

    # -- the end of a deal -------------------------------------------------------------------------------------------

    def _finish(self, state: CardState, number: int) -> tuple[CardState, list[Notice]]:
        """The last trick is complete: the deal is taken up, checked and scored."""
        deal = state.deal
        assert deal is not None
        notices: list[Notice] = []
        if self._whole(deal):
            deal, notices = self._tell_if_proven(deal)
        notices += [*self._ask_which_counts(deal, number)]
        tricks = [*deal.done, self._table_trick(deal)]
        state = replace(state, deal=deal)
        readings = deal_readings(self.game, deal.trump, tricks, self._unseen(deal), deal.wrong_leads)
        unread = [one for one in all_laid(deal) if not one.known]
        state = _without_question(state, "offer")
        notices += self._count_pack(deal, readings, unread, number)
        notices += self._ace_nowhere(deal, number)
        outcomes = {self._outcome(state, deal, one) for one in readings or ()}
        if len(outcomes) != 1:
            return replace(state, deal=deal), [*notices, *self._ask_for_score(deal, readings, unread, number)]
        assert readings
        points = spread([one.points for one in readings])
        tricks_taken = spread([self._tricks_of(one.winners) for one in readings])
        after, scored = self._scored(replace(state, deal=deal), outcomes.pop(), points, tricks_taken)
        return after, [*notices, *scored]

    def _outcome(self, state: CardState, deal: DealState, reading: DealReading) -> Outcome:
        outcome = self.game.outcome(reading.points, reading.winners, state.score.tie_bonus)
        if deal.refused_by is not None and isinstance(self.game, Triomphe):
            return self.game.refused_outcome(outcome, deal.refused_by)
        return outcome

    def _tricks_of(self, winners: Sequence[int]) -> tuple[int, ...]:
        """The tricks of each side, from the seat that won each."""
        return tuple(sum(self.game.sides[seat] == side for seat in winners) for side in range(self.game.side_count))

    def _scored(
        self, state: CardState, outcome: Outcome, points: tuple[Range, ...], tricks: tuple[Range, ...]
    ) -> tuple[CardState, list[Notice]]:
        deal = state.deal
        assert deal is not None
        score = self.game.scored(state.score, outcome)
        won = score.winner(self.game.target)
        facts: dict[str, Any] = {
            "points": [shown(one) for one in points] if self.game.draws else list(outcome.games),
            "tricks": [shown(one) for one in tricks],
            "games": list(outcome.games),
            "match": list(score.games),
        }
        if isinstance(self.game, Turufu):
            facts |= {"muzinga": outcome.every_trick is not None, "tie_bonus": outcome.tie_bonus}
            facts["markers"] = [list(cards) for cards in score.markers]
        else:
            facts["vole"] = outcome.every_trick is not None
        notices = [Notice("deal_scored", INFO, facts), *self._match_won(score)]
        dealt_by = deal.dealt_by(self.players)
        dealer = self.game.next_dealer(dealt_by, won is not None) if dealt_by is not None else None
        dealers = self.game.next_dealers(dealt_by, won is not None) if dealt_by is not None else frozenset()
        result = Result(outcome, score, points, tricks)
        return replace(state, deal=replace(deal, result=result), dealer=dealer, dealers=dealers), notices

    def _match_won(self, score: Score) -> list[Notice]:
        won = score.winner(self.game.target)
        if won is None:
            return []
        return [Notice("match_won", INFO, {"side": won, "seats": self._seats(won), "match": list(score.games)})]

    def _seats(self, side: int) -> list[int]:
        return [seat for seat in range(self.players) if self.game.sides[seat] == side]

    def _count_pack(
        self, deal: DealState, readings: list[DealReading] | None, unread: list[Laid], number: int
    ) -> list[Notice]:
        """Where every card is played, the whole pack must have been seen, and its points must add up."""
        if not isinstance(self.game, Turufu):
            return []
        missing = self._unseen(deal)
        facts: dict[str, Any] = {"number": number, "trick": deal.trick_number}
        notices = []
        if len(missing) > len(unread):
            count = len(missing) - len(unread)
            notices.append(illegal("cards_missing", **facts, cards=missing, missing=count))
            totals = {sum(one.points) for one in readings or ()}
            if totals and ALL_POINTS not in totals:
                points = list(readings[0].points) if readings and len(readings) == 1 else []
                notices.append(
                    illegal("points_do_not_add_up", **facts, cards=missing, points=points, total=min(totals))
                )
        return notices

    def _ask_for_score(
        self, deal: DealState, readings: list[DealReading] | None, unread: list[Laid], number: int
    ) -> list[Notice]:
        """The score hangs on something nobody saw: which card it was, or who led."""
        place, asked = next(((place, one) for place, one in enumerate(unread) if one.played), (0, None))
        if asked is not None:
            maybe = {one.cards[place] for one in readings or ()} or set(may_be(asked, self._unseen(deal)))
            choices = sorted(maybe, key=lambda card: (card != asked.card, self.game.pack.index(card)))
            return [question(number, "card", choices, card_number=asked.number, seat=asked.seat)]
        first = next((one for one in all_laid(deal) if one.played), None)
        if first is not None and first.seat is None:
            choices = [str(seat) for seat in sorted(deal.first_leads)]
            return [question(number, "leader", choices, card_number=first.number)]
        return [Notice("not_scored", ASK, {"number": number})]

    # -- triomphe ----------------------------------------------------------------------------------------------------

    def _offer(self, state: CardState, number: int, event: Offer) -> Judged:
        deal = self._open_deal(state)
        game = self.game
        if not isinstance(game, Triomphe) or not game.two_sides:
            raise EventError("offer: a hand is given up between two sides of triomphe only")
        if len(deal.done) + bool(deal.plays) >= game.tricks:
            raise EventError("offer: a hand can be given up only before the fifth trick")
        if deal.offered_by is not None:
            raise EventError("offer: this hand was offered already")
        side = game.sides[event.seat]
        deal = replace(deal, offered_by=side)
        asked = question(number, "offer", [YES, NO], seat=event.seat, side=side)
        return replace(state, deal=deal), (asked,)

    def _answer(self, state: CardState, event: Answer) -> Judged:
        deal = self._open_deal(state)
        if deal.offered_by is None or deal.refused_by is not None or not isinstance(self.game, Triomphe):
            raise EventError("answer: no offer is open")
        state = _without_question(state, "offer")
        if not event.accept:
            return replace(state, deal=replace(deal, refused_by=1 - deal.offered_by)), ()
        outcome = Outcome(self.game.points_against(deal.offered_by, 1))
        nothing = ((0, 0),) * self.game.side_count
        early = replace(state, deal=replace(deal, ended_early=True))
        after, notices = self._scored(early, outcome, nothing, tricks_taken(self.game, deal.done))
        return after, tuple(notices)

    def _pillage(self, state: CardState, number: int, event: Pillage) -> Judged:
        deal = self._open_deal(state)
        if not isinstance(self.game, Triomphe) or not self.game.pillage:
            raise EventError("pillage: only L'As qui pille knows it")
        notices: list[Notice] = []
        facts: dict[str, Any] = {"number": number, "seat": event.seat, "trick": deal.trick_number}
        for card in (event.card, event.paid, event.next):
            if card is not None and card not in self.game.whole_pack:
                return state, (illegal("not_in_pack", **facts, cards=[card]),)
        first_is_ace = not deal.pillaged and deal.turn_up is not None and rank_of(deal.turn_up) == self.game.ranks[0]
        lay_there = event.card == deal.turn_up
        if deal.turn_up is None:  # The one turned up next was not seen.
            lay_there = event.card not in (*deal.pillaged, *deal.paid)
        may_take = (
            not deal.seen
            and lay_there
            and suit_of(event.card) == deal.trump
            and (event.seat is None or deal.pillager in (None, event.seat))
            and not (first_is_ace and event.seat is not None and deal.dealer not in (None, event.seat))
        )
        if not may_take:
            notices.append(illegal("turn_up_changed", **facts, cards=[event.card], taken=True))
        seen = {*deal.pillaged, *deal.paid, event.card}
        if event.paid is not None and event.paid in {*deal.paid}:
            notices.append(illegal("seen_before", **facts, cards=[event.paid], first_seen={"paid": deal.pillager}))
        if event.next is not None and event.next in seen | ({event.paid} - {None}):
            notices.append(illegal("seen_before", **facts, cards=[event.next], first_seen={"turn_up": True}))
        deal = replace(
            deal,
            turn_up=event.next,
            pillager=deal.pillager if event.seat is None else event.seat,
            pillaged=(*deal.pillaged, event.card),
            paid=deal.paid if event.paid is None else (*deal.paid, event.paid),
            paid_unseen=deal.paid_unseen + (event.paid is None),
        )
        if event.next is not None and event.next == self._ace_owed(deal):
            notices.append(self._without_ace(deal, facts, {"turn_up": True}))  # It lay in the talon.
        return replace(state, deal=deal), tuple(notices)

    def _choose(self, state: CardState, event: Choose) -> Judged:
        asked = self._asked(state, event)
        if asked.facts["about"] == "offer":
            return self._answer(state, Answer(event.answer == YES))
        state = replace(state, questions=tuple(one for one in state.questions if one is not asked))
        if asked.facts["about"] == "penalty":
            return self._penalty(state, asked, event.answer == YES)
        if asked.facts["about"] == "taken" and event.answer == YES:
            facts = {name: asked.facts[name] for name in ("trick", "seat", "winner", "cards")}
            return state, (illegal("taken_by_wrong_side", number=event.question, **facts),)
        return state, ()

    def _ace_owed(self, deal: DealState) -> Card | None:
        """The ace of trumps, where somebody pillaged who must have held it: the dealer alone may take it first."""
        if not isinstance(self.game, Triomphe) or not self.game.pillage or not deal.pillaged:
            return None
        ace = self.game.ranks[0] + deal.trump
        return None if deal.pillager is None or deal.pillaged[0] == ace else ace

    def _without_ace(self, deal: DealState, facts: Mapping[str, Any], where: dict[str, Any] | None) -> Notice:
        told = {**facts, "seat": deal.pillager, "cards": list(deal.pillaged), "taken": True, "without_ace": True}
        return illegal("turn_up_changed", **told, first_seen=where)

    def _ace_elsewhere(self, deal: DealState, laid: Laid, facts: Mapping[str, Any]) -> list[Notice]:
        """The ace of trumps comes from another hand than the one that pillaged with it."""
        if laid.known != self._ace_owed(deal) or laid.deduced or laid.seat == deal.pillager:
            return []
        return [self._without_ace(deal, facts, {"seat": laid.seat, "trick": facts["trick"]})]

    def _ace_nowhere(self, deal: DealState, number: int) -> list[Notice]:
        """The hand that pillaged lay open to its last card, and so did what it paid: the ace was not among them."""
        ace = self._ace_owed(deal)
        laid = [one for one in all_laid(deal) if one.seat == deal.pillager]
        all_read = all(one.order_sure and as_read(one, deal.doubted).known for one in laid)
        if ace is None or deal.paid_unseen or len(laid) < self.game.tricks or not all_read:
            return []
        if ace in (deal.turn_up, *deal.pillaged, *deal.paid, *deal.seen):
            return []
        return [self._without_ace(deal, {"number": number, "trick": deal.trick_number}, None)]

    # -- penalties ---------------------------------------------------------------------------------------------------

    def _ask_penalties(self, state: CardState, number: int) -> list[Notice]:
        """A proven revoke costs what the house decided, once the players confirm: a question for each offender."""
        deal, penalty = state.deal, self.game.options.get("penalty", "alert")
        if deal is None or penalty == "alert":
            return []
        known = [
            *deal.settled,
            *(deal.result.settled if deal.result else ()),
            *(one.facts["side"] for one in _penalties_of_this_deal(state)),
        ]
        asked = []
        for side in self._offenders(deal):
            if side in known:
                known.remove(side)
            else:
                facts = {"side": side, "seats": self._seats(side), "penalty": penalty}
                asked.append(question(number, "penalty", [YES, NO], **facts))
        return asked

    def _offenders(self, deal: DealState) -> list[int]:
        """The sides that revoked for certain, each as often as it has seats that did. A hand is lost once only."""
        verdict, level = deal.told or (INNOCENT, PROVISIONAL)
        if level != PROVEN:
            return []
        sides = [self.game.sides[seat] for seat in verdict.guilty]
        sides += [side for side in verdict.guilty_sides if side not in sides]
        return sorted(set(sides)) if self.game.options["penalty"] == "hand" else sorted(sides)

    def _penalty(self, state: CardState, asked: Notice, wanted: bool) -> Judged:
        """The players' answer to whether a revoke shall cost."""
        side = asked.facts["side"]
        owed = next((one for one in state.owed if one.question is asked), None)
        if owed is not None:
            return self._late_penalty(state, owed, wanted)
        deal = state.deal
        assert isinstance(self.game, Triomphe) and deal is not None
        if deal.result is None or self.game.options["penalty"] == "hand":
            deal = replace(deal, settled=(*deal.settled, side))
        else:
            deal = replace(deal, result=replace(deal.result, settled=(*deal.result.settled, side)))
        if not wanted:
            return replace(state, deal=deal), ()
        cost = self.game.penalty(side)
        if self.game.options["penalty"] == "hand" and not deal.hand_lost:
            ended = replace(deal, ended_early=True, hand_lost=True)
            nothing = ((0, 0),) * self.game.side_count
            taken = tricks_taken(self.game, deal.done)
            after, notices = self._scored(replace(state, deal=ended), Outcome(cost), nothing, taken)
            return after, tuple(notices)
        return self._fined(replace(state, deal=deal), side, cost, begun=False)

    def _late_penalty(self, state: CardState, owed: Owed, wanted: bool) -> Judged:
        """The answer that came after the next deal had begun."""
        others = tuple(one for one in state.owed if one is not owed)
        if not wanted:
            return replace(state, owed=others), ()
        assert isinstance(self.game, Triomphe)
        cost = self.game.penalty(owed.question.facts["side"])
        if self.game.options["penalty"] == "hand":
            cost = tuple(costs - brought for costs, brought in zip(cost, owed.brought, strict=True))
            others = tuple(replace(one, brought=(0,) * len(cost)) if one.deal == owed.deal else one for one in others)
        return self._fined(replace(state, owed=others), owed.question.facts["side"], cost, begun=True)

    def _fined(self, state: CardState, side: int, cost: tuple[int, ...], begun: bool) -> Judged:
        """The match with a penalty added. begun: it comes from a deal before the one under way."""
        game, deal = self.game, state.deal
        before = deal.result.score if deal is not None and deal.result is not None else state.score
        score = game.scored(before, Outcome(cost))
        if deal is not None and deal.result is not None:
            if begun:
                state = replace(state, score=game.scored(state.score, Outcome(cost)))
            state = replace(state, deal=replace(deal, result=replace(deal.result, score=score)))
        elif deal is None or score.winner(game.target) is None:
            state = replace(state, score=score)
        else:  # The match is won, and with it the hand is over.
            nothing = ((0, 0),) * game.side_count
            result = Result(Outcome(cost), score, nothing, tricks_taken(game, deal.done))
            state = replace(state, deal=replace(deal, ended_early=True, result=result))
        told = Notice("penalty", INFO, {"side": side, "games": list(cost), "match": list(score.games)})
        won = self._match_won(score) if score.winner(game.target) != before.winner(game.target) else []
        return state, (told, *won)

    def _still_owed(self, state: CardState, number: int) -> tuple[Owed, ...]:
        """The penalties that are asked about still, when another deal of the same match begins."""
        deal = state.deal
        if deal is None:
            return state.owed
        hand_counted = deal.result is not None and not deal.hand_lost
        brought = deal.result.outcome.games if deal.result and hand_counted else (0,) * self.game.side_count
        return (*state.owed, *(Owed(one, brought, number) for one in _penalties_of_this_deal(state)))

    # -- view --------------------------------------------------------------------------------------------------------

    def board(self, state: CardState) -> None:
        """No pits here."""

    def possible(self, state: CardState) -> frozenset[Card]:
        """The cards that may lie face up on the table now."""
        return possible(self.game, state)

    def view(self, state: CardState) -> View:
        """What the table may see now."""
        deal = state.deal
        if deal is None:
            return view_of(self.game, state, None, None)
        on_table = self._table_trick(deal) if len(deal.plays) == self.players else None
        return view_of(self.game, state, self._turn(deal), on_table)


def _without_question(state: CardState, about: str) -> CardState:
    return replace(state, questions=tuple(one for one in state.questions if one.facts["about"] != about))


def _penalties_of_this_deal(state: CardState) -> list[Notice]:
    """Those asked about and not answered."""
    earlier = [one.question for one in state.owed]
    return [one for one in state.questions if one.facts["about"] == "penalty" and one not in earlier]


def _unreadable(facts: Mapping[str, Any], seat: int | None, cards: list[Any], why: str) -> Notice:
    """A card to look at again: what it seemed to be, and what speaks against that."""
    return Notice("unreadable", ASK, {**facts, "seat": seat, "candidates": cards, "why": why})


def _gist(verdict: Verdict) -> tuple[Any, Any]:
    return verdict.explanations, verdict.certain
