# What the referee says. A game may say one of these in its own way: belote-deal_scored stands in belote.ftl.
# A seat is a name or "player 2", a side "side A" (or its only player). Numbers by side read 91–29.

notice-trick = { $seat ->
    [none] { $open ->
        [trump] Trick { $trick }: { $cards }. Trump is not known yet, so the trick's winner is not known either.
       *[none] Not every card of trick { $trick } was seen, so its winner is not known yet.
    }
   *[other] { $seat } wins trick { $trick }: { $cards }.
}
notice-deal_scored = Deal over: { $points }. Games { $games }, in all { $match }.
notice-match_won = { $player ->
    [none] { $side } wins the match.
   *[other] { $player } wins.
}
notice-match_drawn = A draw: both players took the same number of seeds.
# Several matches in an evening: parties is how many each side has won, of how many are played.
notice-parties = { $over ->
    [true] { $side ->
        [none] The evening is over and nobody is ahead: { $parties } matches of { $of }.
       *[other] The evening is over. { $side } wins it: { $parties } matches of { $of }.
    }
   *[other] Matches won: { $parties }. Tonight you play { $of }.
}
notice-move = { $captured ->
    [0] { $player } plays { $key }.
    [none] { $player } plays { $key }.
   *[other] { $player } plays { $key } and captures { $captured }.
}
# The device plays a side of a board itself, and a person's hand makes its turn.
notice-device_turn = My turn: { $key }. Please play it for me.
# The device plays a seat at cards itself, and a person's hand lays its card.
notice-device_card = { $lead ->
    [true] If I lead, please lay { $card } for me.
   *[none] My card: { $card }. Please lay it for me.
}
notice-device_card_other = I asked for { $card }, and you laid { $was } for me. It counts; play on.
# The device says whether it takes the card turned up; nobody sees when it is its turn to say so.
notice-device_bid = { $bid ->
    [take] I take { $card }, if nobody takes before me.
    [suit] I pass. In the second round I take { $suit }, if nobody takes before me.
   *[pass] I pass, in both rounds.
}
notice-hint = Try { $key }.
notice-lesson = Lesson { $number } of { $of }. Set up this board; you are South. { $store ->
    [in_hand] In hand: you { $south }, the other side { $north }.
   *[other] Captured so far: you { $south }, the other side { $north }.
}
notice-lesson_differs = { $count ->
    [1] Not yet: { $pits } should hold { $seeds }.
   *[other] Not yet. Pits to change: { $count }. First: { $pits } should hold { $seeds }.
}
notice-lesson_set = The board is right. Find the best turn.
notice-lesson_right = Right. { $captured ->
    [0] { $best } is the best turn.
   *[other] { $best } is the best turn. It captures { $captured }.
}
notice-lesson_wrong = { $key } is not the best turn. { notice-advice } Set the board up again.
notice-lesson_illegal = { $known ->
    [true] { $illegal }
   *[other] No legal turn leads to this position.
} Set it up again.
notice-lessons_over = That was the last lesson.
notice-lessons_back = Now set up the board of your match.
notice-lessons_left = Your match goes on.
# A lesson at cards: the learner's hand lies face up before himself.
notice-learner = Lesson for { $seat }: after the deal, lay your hand face up in a row in front of you.
notice-learner_may = { $which ->
    [lead] If { $seat } leads, any card is fine.
    [any] { $seat } may play any card.
   *[other] { $seat } may play: { $cards }.
}
notice-learner_illegal = { $seat }, you may not play { $card }: { $must }. Take it back.
notice-learner_over = The lesson is over. Take up the cards: your match goes on.
notice-must_follow = you must follow suit
notice-must_trump = you must trump
notice-must_over_trump = you must trump higher
notice-must_overtake = you must play higher
notice-advice = { $reason ->
    [best] Nothing was better.
    [wins] { $best } wins the game.
    [loses] It loses: the other side answers { $reply } and wins.
    [capture] { $best } captures { $captured }. Seeds that your turn gave away: { $seeds }.
    [left] { $reply } then captures { $captured }. { $best } is better. Seeds that this spares: { $seeds }.
    [nyumba] It opens your nyumba to { $reply }. { $best } keeps it.
   *[place] { $best } leads to a better board. In seeds, it is worth { $seeds } more.
}
notice-device_turn_again = That was not my turn. Put the seeds back and play { $key } for me.
notice-undone = { $correction ->
    [true] Taken back: the correction.
   *[other] { $card ->
        [none] Taken back.
       *[other] Taken back: { $card }.
    }
}
notice-redone = { $correction ->
    [true] Brought back: the correction.
   *[other] { $card ->
        [none] Brought back.
       *[other] Brought back: { $card }.
    }
}
# The score set right by hand, by side.
notice-score_set = { $reason ->
    [none] Score set by hand: { $match }.
   *[some] Score set by hand: { $match } ({ $reason }).
}
notice-corrected = { $card ->
    [none] { $seat ->
        [none] { $turn_up ->
            [none] { $order_sure ->
                [true] The order of those cards is clear now.
                [false] I am no longer sure of the order of those cards.
               *[other] Entry { $number } of the log is corrected.
            }
           *[other] Corrected: { $turn_up } was turned up.
        }
       *[other] Corrected: { $seat } played it.
    }
   *[other] { $was ->
        [none] Corrected: { $card }.
       *[other] Corrected: { $card }, was { $was }.
    }
}
notice-penalty = Penalty for the revoke: { $games }. The match is now { $match }.
notice-set_aside = Entry { $number } of the log no longer fits. It is ignored.
notice-reminder = No signals between partners.
# Somebody laid a card before whose turn it was, or nobody saw that one's card.
notice-passed_over = I have not seen { $expected }'s card in trick { $trick } yet.
notice-count_again = Please count the seeds again: I see { $seeds }, not { $all }.
notice-not_scored = { $why ->
    [unseen] I did not see every card of this deal, so I cannot score it. Count your cards and set the score.
    [forgotten] That deal does not count. You may set the score by hand.
    [trump] This deal is over. To score it I must know who took.
   *[other] The last deal was not played to the end. It does not count.
}
notice-unreadable = { $candidates ->
    [none] { $seat ->
        [none] I cannot read a card in trick { $trick }. Move it, or give more light.
       *[other] I cannot read { $seat }'s card in trick { $trick }. Move it, or give more light.
    }
   *[other] { $seat ->
        [none] A card in trick { $trick }: is it { $candidates }?
       *[other] { $seat }, trick { $trick }: is it { $candidates }?
    }
}
notice-game_found = { $players ->
    [none] I see { $game }.
   *[other] I see { $game } for { $players }.
}

# A revoke: a player held a card that he had to play, and played another. sure_claims are proven, of open_claims one is.
notice-revoke = { $level_of_proof ->
    [proven] { $sure_claims ->
        [none] Certain revoke, one of these: { $open_claims }.
       *[some] { $open_claims ->
            [none] Revoke: { $sure_claims }.
           *[some] Revoke: { $sure_claims }; and one of these: { $open_claims }.
        }
    }
   *[other] Perhaps a revoke: turn over trick { $checked } and look.
}
notice-claim = { $shown ->
    [none] { $elsewhere ->
        [0] { $seat } played { $card } in trick { $trick }, but must have held { $among } ({ $duty })
       *[other] { $seat } played { $card } in trick { $trick }, but held at least one of { $among }. The others could not hold them all: { $elsewhere } at most ({ $duty })
    }
   *[some] { $seat } played { $card } in trick { $trick } and held { $shown }{ $shown_in ->
        [none] { "" }
       *[some] , seen in trick { $shown_in }
    } ({ $duty })
}
notice-more_claims = and { $more } more
notice-duty_follow = had to follow suit
notice-duty_overtake = had to play higher
notice-duty_trump = had to trump
notice-duty_over_trump = had to trump higher

# Where a card was seen before; stands in brackets.
notice-seen_played = { $seat }, trick { $trick }
notice-seen_turn_up = turned up
notice-seen_paid = paid for the turned-up card
notice-seen_pillaged = taken by pillage
notice-seen_taken_up = taken up by the taker
