play-keys = Type a turn, or: hint, undo, quit.
play-your_turn = Your turn: { $turns }
play-device = Hisabu plays { $turn }{ $captured ->
    [0] .
   *[other] {" "}and captures { $captured }.
}
play-not_legal = { $typed } is not a legal turn. You may play { $turns }.
play-nothing_to_undo = There is nothing to take back.
play-hint = Try { $turn }.
play-best = The best turn.
play-gave = { $turn } was better. It is worth { $seeds } more.
play-gave_capture = { $turn } was better. It captures { $captured } and is worth { $seeds } more.
play-won = You win.
play-lost = Hisabu wins.
play-drawn = Nobody wins.
