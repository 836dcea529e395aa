belote-name = Belote
belote-deal_scored = { $capot ->
    [true] Capot! Every trick to one side. Scored { $games }, match { $match }.
   *[other] { $inside ->
        [true] { $taker } took and falls short: { $points }. Scored { $games }, match { $match }.
       *[other] { $tie_bonus ->
            [0] { $taker } took and made it: { $points }. Scored { $games }, match { $match }.
           *[other] Litige: { $points }. The next deal decides { $tie_bonus } points. Scored { $games }, match { $match }.
        }
    }
}
