belote-name = Belote
belote-deal_scored = { $capot ->
    [true] Capot ! Tous les plis au même camp. On marque { $games }, partie { $match }.
   *[other] { $inside ->
        [true] { $taker } a pris et chute : { $points }. On marque { $games }, partie { $match }.
       *[other] { $tie_bonus ->
            [0] { $taker } a pris et réussit : { $points }. On marque { $games }, partie { $match }.
           *[other] Litige : { $points }. La prochaine donne décide de { $tie_bonus } points. On marque { $games }, partie { $match }.
        }
    }
}
