turufu-name = Turufu
turufu-deal_scored = { $muzinga ->
    [true] Muzinga! Every trick to one side. Games { $games }, match { $match }.
   *[other] { $murisi ->
        [none] { $tied ->
            [true] Sawa, 60 each. Nobody scores; the next deal is worth { $tie_bonus } more.
           *[other] Deal over: { $points }. Games { $games }, match { $match }.
        }
       *[other] { $alone ->
            [true] Kali wa murisi: { $loser }. { $points }. Games { $games }, match { $match }.
           *[other] Kawala wa murisi: { $loser }. { $points }. Games { $games }, match { $match }.
        }
    }
}
# A card that no game of turufu plays, 8, 9, 10, 2 or the joker: it counts the games lost.
turufu-not_in_pack = { $seat } played { $cards }. That card marks the games lost: it is not played.
