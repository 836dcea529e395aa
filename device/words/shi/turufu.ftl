# T: turufu
turufu-name = Turufu
# T: muzinga, kapa, sawa, kali wa murisi, kawala wa murisi
turufu-deal_scored = { $muzinga ->
    [true] Muzinga ! Kapa : { $loser }. (fr) Jeux { $games }, en tout { $match }.
   *[other] { $murisi ->
        [none] { $tied ->
            [true] Sawa · (fr) 60 partout. Personne ne marque ; la prochaine donne vaut { $tie_bonus } de plus.
           *[other] (fr) Donne finie : { $points }. Jeux { $games }, en tout { $match }.
        }
       *[other] { $alone ->
            [true] Kali wa murisi : { $loser }. { $points }. (fr) Jeux { $games }, en tout { $match }.
           *[other] Kawala wa murisi : { $loser }. { $points }. (fr) Jeux { $games }, en tout { $match }.
        }
    }
}
# T: bwati ya karata
turufu-not_in_pack = Bwati ya karata · (fr) { $seat } a joué { $cards }, une marque : elle ne se joue pas.
