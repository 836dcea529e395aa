pille-name = L'As qui pille
pille-deal_scored = { $vole ->
    [true] Vole! Every trick to one side. Points { $games }, match { $match }.
   *[other] Deal over: tricks { $tricks }, points { $games }. Match { $match }.
}
pille-rules = Everybody plays alone. Most tricks win the deal, five points the match.
    .cards = 32 cards: the ace is highest, then king, queen, jack, 10, 9, 8, 7.
    .deal = Five cards each. The next card is turned up: its suit is trump. Play goes anticlockwise.
    .play = Before the first card: if an ace is turned up, the dealer may take it and pay with a card from the hand, and go on while the next card is a trump. If none is, whoever holds the ace of trumps may do so. Then as in triomphe: follow, beat, trump.
    .score = Most tricks are one point, all five (vole) two. A tie goes to who had that many first.
    .usual = Every card taken is paid with one card, so everybody keeps five.
