voice-card = { $rank } de { $suit }
    .short = { $rank } { $suit }
voice-rank = { $rank ->
    [A] as
    [K] roi
    [Q] dame
    [J] valet
   *[other] { $rank }
}
voice-the = { $rank ->
    [A] l'{ $card }
    [Q] la { $card }
   *[other] le { $card }
}
voice-joker = joker
voice-unread = une carte que je ne peux pas lire
voice-play = { $seat } : { $card }
    .short = { $seat } { $card }
voice-deal = { $dealer ->
    [none] Nouvelle donne.
   *[other] { $dealer } donne.
} { $card ->
    [none] Pas de retourne.
   *[other] La retourne : { $card }.
}
voice-trick = { $points ->
    [none] Pli pour { $seat }.
   *[other] Pli pour { $seat }, { $points } points.
}
    .short = Pli pour { $seat }.
voice-void_deal = Maldonne. Le même donneur redonne.
voice-taken_back = { $seat } reprend une carte.
voice-take = { $seat } prend. Atout { $trump }.
voice-offer = { $seat } propose d'abandonner cette donne.
voice-answer = { $accept ->
    [true] La proposition est acceptée.
   *[other] La proposition est refusée.
}
voice-pillage = { $seat } prend : { $card }{ $paid ->
    [none] .
   *[other] , et paie : { $paid }.
} { $next ->
    [none] Rien d'autre n'est encore retourné.
   *[other] La retourne : { $next }.
}
voice-turn_up = La retourne : { $card }.
voice-correct = { $card ->
    [none] Corrigé.
   *[other] Corrigé : { $seat ->
        [none] { $card }.
       *[other] { $seat }, { $card }.
    }
}
voice-lies = { $cards ->
    [none] Rien sur la table.
   *[other] Sur la table : { $cards }.
}
voice-which = { $seat ->
    [none] Une carte du pli { $trick } : laquelle est-ce ?
   *[other] Au pli { $trick }, quelle carte a été jouée par { $seat } ?
}
voice-trump = Atout { $suit }.
voice-turn = À { $seat } de jouer.
voice-button = { $button } : { $answer }.
voice-score = { $players } : { $score }.
voice-to = à
voice-last_turn = Dernier coup : { $turn }.
voice-captured = prises : { $number }
voice-in_hand = { $number } en main
voice-right = vers la droite
voice-left = vers la gauche
voice-menu_closed = Le menu est fermé.
voice-welcome = Pour entendre tout ce que je vois, tenez une seconde le bouton A, le premier des trois.
voice-ready = Je suis prêt.
voice-begun = Je dis tout à voix haute. Quand je ne demande rien : A dit ce qui est sur la table, B reprend, C est le menu. Tenez A pour que je me taise.
voice-silenced = Je me tais.
voice-wifi = Wi-Fi { $ssid }, mot de passe : { $password }. Ensuite, appuyez sur un bouton.
voice-invite = Sur le téléphone : { $address }{ $code ->
    [none] .
   *[other] , code { $code }.
}
