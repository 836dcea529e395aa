belote-name = Belote
belote-deal_scored = { $revoked ->
    [none] { $capot ->
        [true] Capot! Every trick to one side. Scored { $games }, match { $match }.
       *[other] { $inside ->
            [true] { $taker } took and falls short: { $points }. Scored { $games }, match { $match }.
           *[other] { $tie_bonus ->
                [0] { $taker } took and made it: { $points }. Scored { $games }, match { $match }.
               *[other] Litige: { $points }. The next deal decides { $tie_bonus } points. Scored { $games }, match { $match }.
            }
        }
    }
   *[other] { $revoked } revoked and loses the deal. Scored { $games }, match { $match }.
}
belote-rules = Two against two; your partner sits across from you. One player takes and chooses trump. His side must then make more points than the other.
    .cards = 32 cards. Trump has an order of its own: the jack and the nine are highest.
    .deal = Five cards each, and one is turned up. In turn each player may take it as trump. If nobody does, each may name another suit. Then the rest is dealt: eight cards each.
    .play = Follow suit. If trump is led, play higher if you can. If you have none of the suit, trump, and higher than the trump that lies there if you can. While your partner is winning you may play anything.
    .score = 162 points with ten for the last trick. The taker needs more than half: else the other side scores everything. Every trick (capot) is worth 252. King and queen of trump in one hand count 20.
    .usual = A proven revoke gives the deal to the other side in most houses.
belote-penalty = Revoke costs
    .alert = nothing
    .hand = the deal
    .about = What a proven revoke costs, if the players agree: nothing, or the deal and 162 points to the other side.
