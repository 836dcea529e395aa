turufu-name = Turufu
turufu-deal_scored = { $muzinga ->
    [true] Muzinga ! Tous les plis au même camp. Jeux { $games }, partie { $match }.
   *[other] { $murisi ->
        [none] { $tied ->
            [true] Sawa, 60 partout. Personne ne marque ; la prochaine donne vaut { $tie_bonus } de plus.
           *[other] Donne finie : { $points }. Jeux { $games }, partie { $match }.
        }
       *[other] { $alone ->
            [true] Kali wa murisi : { $loser }. { $points }. Jeux { $games }, partie { $match }.
           *[other] Kawala wa murisi : { $loser }. { $points }. Jeux { $games }, partie { $match }.
        }
    }
}
turufu-not_in_pack = { $seat } a joué { $cards }. Cette carte marque les jeux perdus : elle ne se joue pas.
