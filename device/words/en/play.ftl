play-keys = Type a turn, or: hint, undo, quit.
play-your_turn = Your turn: { $turns }
play-device = Hisabu plays { $turn }{ $captured ->
    [0] .
   *[other] {" "}and captures { $captured }.
}
play-not_legal = { $typed } cannot be played. You may play { $turns }.
play-nothing_to_undo = There is nothing to take back.
play-hint = Try { $turn }.
play-best = That was the best turn.
play-won = You win.
play-lost = Hisabu wins.
play-drawn = Nobody wins.
play-no_camera = In the terminal { $game } needs no --camera. At a real table: `hisabu run --device-seat N`.
# A game of cards: the person sits in seat 1, the device in every other.
play-cards_keys = Type a card (10H), or: hint, undo, quit.
play-cards_lie = Trump { $trump }, turned up { $turn_up }. On the table: { $trick }
play-cards_hand = Your hand: { $cards }
play-cards_pillage = You may take { $card }: pay with one of your cards, or pass.
play-say_pay = pay { $what }
play-say_take = { $what ->
    [none] take
   *[other] take { $what }
}
play-say_pass = pass
play-say_offer = offer
play-say_accept = accept
play-say_refuse = refuse
play-cards_forbidden = You may not play { $card }: { $why }. You may play { $turns }.
play-cards_laid = { $seat }: { $card }
play-cards_trick = { $yours ->
    [true] You win the trick with { $card }: { $cards }.
   *[false] { $seat } wins the trick with { $card }: { $cards }.
}
play-cards_gave = { $turn } was better. Gain in { $unit ->
    [points] points
   *[games] games
}: { $lost }.
play-cards_deal = The deal is over. Score: { $games }
play-cards_won = You win the match.
play-cards_lost = The others win the match.
play-you = You
play-partner = Your partner (player { $number })
play-other = Player { $number }
play-no_second = At cards the deal decides who begins: leave out --second.
play-lesson_keys = Type a turn, or: hint, quit.
play-lesson = Lesson { $number } of { $many }: you are South. Find the best turn.
play-again = Try again.
play-lessons_over = That was the last lesson.
play-usual_rules = Lessons use the usual rules. Start them without --preset and --set.
play-no_lessons = { $game } has no lessons yet.
