# What breaks a rule. The person first, then what was done, then what should have been.
illegal-not_in_pack = { $seat } played { $cards }. This game does not use that card.
illegal-seen_before = { $seat } played { $cards } in trick { $trick }, but it was seen before ({ $first_seen }).
illegal-two_from_one_seat = { $seat } put down two cards in trick { $trick }: { $cards }.
illegal-out_of_turn = { $seat } played { $cards } out of turn. It is { $expected }'s turn.
illegal-wrong_leader = { $seat } led trick { $trick } with { $cards }, but { $expected } leads.
illegal-before_taken = { $seat } played { $cards } before the last trick was gathered.
illegal-taken_by_wrong_side = { $seat } gathered trick { $trick }, but { $winner } won it.
illegal-turn_up_changed = { $taken ->
    [true] { $without_ace ->
        [true] { $first_seen ->
            [none] { $seat } took { $cards } without holding the ace of trumps.
           *[some] { $seat } took { $cards }, but the ace of trumps was elsewhere ({ $first_seen }).
        }
       *[other] { $seat } may not take the turned-up card: { $cards }.
    }
   *[other] The turned-up card changed: { $cards }.
}
# listed: all - every missing card is named; some - the missing cards are among those named; many - too many to name.
illegal-cards_missing = { $listed ->
    [many] Cards were missing in this deal: { $missing }.
    [some] { $missing } of these cards were missing in this deal: { $cards }.
   *[all] Missing in this deal: { $cards }.
}
illegal-points_do_not_add_up = The points do not add up: { $total } instead of { $all }.
illegal-capture_owed = { $player } must capture, and { $key } captures nothing.
illegal-single_seed_start = { $player } may not start this turn with a single seed ({ $key }).
illegal-nyumba_start = { $player } may not start with the nyumba ({ $key }).
illegal-back_row_start = { $player } must start in the front row ({ $key }).
illegal-too_many_to_capture = { $player } may not capture with more than 15 seeds ({ $key }).
illegal-blocked_pit = { $player } may not play that pit. It is blocked (kutakatia; { $key }).
illegal-dropped_wrong = { $player } dropped a seed in the wrong pit ({ $pits }).
illegal-took_what_it_may_not = { $player } took seeds that may not be taken ({ $key }).
illegal-stopped_short = { $player } stopped too early. The turn goes on ({ $key }).
illegal-hand_not_used = { $player } must first play a seed from the hand.
illegal-opponents_turn = { $player } played, but it was the other player's turn.
illegal-played_twice = { $player } played twice.
illegal-moved_opponents_seeds = { $player } moved the other player's seeds.
illegal-seeds_missing = Seeds missing: { $missing }.
illegal-seeds_added = Too many seeds on the board: { $added }.
illegal-endless = { $player } may not play { $key }. That turn never ends.
illegal-must_feed = { $player } must give the other player seeds, and { $key } gives none.
