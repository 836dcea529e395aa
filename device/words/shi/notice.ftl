# T: uanua
notice-trick = { $seat ->
    [none] { $open ->
        [trump] (fr) Pli { $trick } : { $cards }. L'atout n'est pas encore connu, donc le gagnant non plus.
       *[none] (fr) Toutes les cartes du pli { $trick } n'ont pas été vues : on ne sait pas encore qui le gagne.
    }
   *[other] Uanua · (fr) { $seat } gagne le pli { $trick } : { $cards }.
}
# T: ushindra
notice-match_won = { $player ->
    [none] Ushindra : { $side }.
   *[other] Ushindra : { $player }.
}
# T: sawa
notice-match_drawn = Sawa · (fr) Les deux ont pris autant de graines.
# M: uteza, uwula
notice-move = { $captured ->
    [0] Uteza : { $player }, { $key }.
    [none] Uteza : { $player }, { $key }.
   *[other] Uteza : { $player }, { $key }. Uwula : { $captured }.
}
# M: uhisabu
notice-count_again = Uhisabu · (fr) Recomptez les graines : j'en vois { $seeds }, pas { $all }.
