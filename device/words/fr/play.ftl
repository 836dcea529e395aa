play-keys = Tapez un coup, ou : hint (un conseil), undo (reprendre), quit (arrêter).
play-your_turn = À vous : { $turns }
play-device = Hisabu joue { $turn }{ $captured ->
    [0] .
   *[other] {" "}et prend { $captured }.
}
play-not_legal = { $typed } n’est pas un coup permis. Vous pouvez jouer { $turns }.
play-nothing_to_undo = Il n’y a rien à reprendre.
play-hint = Essayez { $turn }.
play-best = Le meilleur coup.
play-gave = { $turn } était meilleur. Il vaut { $seeds } de plus.
play-gave_capture = { $turn } était meilleur. Il prend { $captured } et vaut { $seeds } de plus.
play-won = Vous gagnez.
play-lost = Hisabu gagne.
play-drawn = Personne ne gagne.
