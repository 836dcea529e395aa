triomphe-name = Triomphe
triomphe-deal_scored = { $vole ->
    [true] Vole! Every trick to one side. Points { $games }, match { $match }.
   *[other] Deal over: tricks { $tricks }, points { $games }. Match { $match }.
}
triomphe-rules = Most tricks win the deal. The first with five points wins the match.
    .cards = 32 cards: king, queen, jack, ace, 10, 9, 8, 7. No card has points.
    .deal = Five cards each. The next card is turned up: its suit is trump. The stock is not played. Play goes anticlockwise.
    .play = Follow suit, and beat the winning card if you can. If you have none of the suit, trump, and go over a trump that lies there if you can; a lower trump must be played too. With neither suit nor trump, play anything.
    .score = Three or four tricks are one point, all five (vole) two.
    .usual = A side may offer to give up the deal: accepted, it costs one point; refused, the other side must take every trick.
