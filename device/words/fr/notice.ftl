notice-trick = { $seat ->
    [none] { $open ->
        [trump] Pli { $trick } : { $cards }. L'atout n'est pas encore connu, donc le gagnant du pli non plus.
       *[none] Il manque une carte au pli { $trick } : on ne sait pas encore qui le gagne.
    }
   *[other] { $seat } gagne le pli { $trick } : { $cards }.
}
notice-deal_scored = Donne finie : { $points }. Jeux { $games }, en tout { $match }.
notice-match_won = { $player ->
    [none] { $side } gagne la partie.
   *[other] { $player } gagne.
}
notice-match_drawn = Partie nulle : les deux ont pris autant de graines.
notice-parties = { $over ->
    [true] { $side ->
        [none] La soirée est finie, à égalité : { $parties } parties sur { $of }.
       *[other] La soirée est finie. { $side } la gagne : { $parties } parties sur { $of }.
    }
   *[other] Parties gagnées : { $parties }. Ce soir, vous en jouez { $of }.
}
notice-move = { $captured ->
    [0] { $player } joue { $key }.
    [none] { $player } joue { $key }.
   *[other] { $player } joue { $key } et prend { $captured }.
}
# L'appareil joue un camp lui-même, et la main d'une personne fait son coup.
notice-device_turn = Mon coup : { $key }. Jouez-le pour moi.
notice-device_card = { $lead ->
    [true] Si c'est à moi d'entamer, jouez { $card } pour moi.
   *[none] Ma carte : { $card }. Jouez-la pour moi.
}
notice-device_card_other = J'ai demandé { $card }, et vous avez joué { $was } pour moi. Elle compte, continuez.
# L'appareil dit s'il prend la retourne ; personne ne voit quand c'est à lui de parler.
notice-device_bid = { $bid ->
    [take] Je prends { $card }, si personne ne prend avant moi.
    [suit] Je passe. Au second tour, je prends à { $suit }, si personne ne prend avant moi.
   *[pass] Je passe, aux deux tours.
}
notice-hint = Essayez { $key }.
notice-lesson = Leçon { $number } sur { $of }. Disposez ce tablier ; vous êtes Sud. { $store ->
    [in_hand] En main : vous { $south }, l'autre { $north }.
   *[other] Prises jusqu'ici : vous { $south }, l'autre { $north }.
}
notice-lesson_differs = { $count ->
    [1] Pas encore : { $pits } doit contenir { $seeds }.
   *[other] Pas encore. Cases à changer : { $count }. D'abord : { $pits } doit contenir { $seeds }.
}
notice-lesson_set = Le tablier est juste. Trouvez le meilleur coup.
notice-lesson_right = Juste. { $captured ->
    [0] { $best } est le meilleur coup.
   *[other] { $best } prend { $captured } : c'est le meilleur coup.
}
notice-lesson_wrong = { $key } n'est pas le meilleur coup. { notice-advice } Disposez le tablier à nouveau.
notice-lesson_illegal = { $known ->
    [true] { $illegal }
   *[other] Aucun coup permis ne mène à cette position.
} Disposez le tablier à nouveau.
notice-lessons_over = C'était la dernière leçon.
notice-lessons_back = Remettez maintenant les graines de votre partie en place.
notice-lessons_left = Votre partie continue.
# Une leçon aux cartes : la main de qui apprend est étalée devant lui.
notice-learner = Leçon pour { $seat } : après la donne, étalez votre main devant vous, faces visibles.
notice-learner_may = { $which ->
    [lead] Si { $seat } entame, toute carte est permise.
    [any] { $seat } peut jouer n'importe quelle carte.
   *[other] { $seat } peut jouer : { $cards }.
}
notice-learner_illegal = { $seat }, vous ne pouvez pas jouer { $card } : { $must }. Reprenez-la.
notice-learner_over = La leçon est finie. Ramassez les cartes : votre partie continue.
notice-must_follow = il faut fournir
notice-must_trump = il faut couper
notice-must_over_trump = il faut surcouper
notice-must_overtake = il faut monter
notice-advice = { $reason ->
    [best] Rien n'était meilleur.
    [wins] { $best } gagne la partie.
    [loses] Ce coup perd : l'autre répond { $reply } et gagne.
    [capture] { $best } prend { $captured }. Graines que votre coup a cédées : { $seeds }.
    [left] { $reply } prend alors { $captured }. { $best } est meilleur. Graines épargnées : { $seeds }.
    [nyumba] Il ouvre votre nyumba à { $reply }. { $best } la garde.
   *[place] { $best } mène à un meilleur tablier. Graines gagnées : { $seeds }.
}
notice-device_turn_again = Ce n'était pas mon coup. Remettez les graines et jouez { $key } pour moi.
notice-undone = { $correction ->
    [true] Repris : la correction.
   *[other] { $card ->
        [none] Repris.
       *[other] Repris : { $card }.
    }
}
notice-redone = { $correction ->
    [true] Rétabli : la correction.
   *[other] { $card ->
        [none] Rétabli.
       *[other] Rétabli : { $card }.
    }
}
notice-score_set = { $reason ->
    [none] Score réglé à la main : { $match }.
   *[some] Score réglé à la main : { $match } ({ $reason }).
}
notice-corrected = { $card ->
    [none] { $seat ->
        [none] { $turn_up ->
            [none] { $order_sure ->
                [true] L'ordre de ces cartes est clair maintenant.
                [false] Je ne suis plus sûr de l'ordre de ces cartes.
               *[other] Coups : la ligne { $number } est corrigée.
            }
           *[other] Corrigé : la retourne est { $turn_up }.
        }
       *[other] Corrigé : { $seat } a joué cette carte.
    }
   *[other] { $was ->
        [none] Corrigé : { $card }.
       *[other] Corrigé : { $card }, et non { $was }.
    }
}
notice-penalty = Pénalité pour la renonce : { $games }. La partie est maintenant à { $match }.
notice-set_aside = La ligne { $number } du journal ne convient plus : elle ne compte pas.
notice-reminder = Pas de signes entre partenaires.
notice-passed_over = Je n'ai pas encore vu jouer { $expected } au pli { $trick }.
notice-count_again = Recomptez les graines : j'en vois { $seeds }, pas { $all }.
notice-not_scored = { $why ->
    [unseen] Je n'ai pas vu toutes les cartes de cette donne : je ne peux pas la compter. Comptez vos cartes et réglez le score.
    [forgotten] Cette donne ne compte pas. Vous pouvez régler le score à la main.
    [trump] Cette donne est finie. Pour la compter, je dois savoir qui a pris.
   *[other] La dernière donne n'a pas été jouée jusqu'au bout. Elle ne compte pas.
}
notice-unreadable = { $candidates ->
    [none] { $seat ->
        [none] Je ne peux pas lire une carte du pli { $trick }. Déplacez-la, ou éclairez mieux.
       *[other] Je ne peux pas lire la carte jouée par { $seat } au pli { $trick }. Déplacez-la, ou éclairez mieux.
    }
   *[other] { $seat ->
        [none] Une carte du pli { $trick } : est-ce { $candidates } ?
       *[other] { $seat }, pli { $trick } : est-ce { $candidates } ?
    }
}
notice-game_found = { $players ->
    [none] Je vois : { $game }.
   *[other] Je vois : { $game }, à { $players }.
}
notice-revoke = { $level_of_proof ->
    [proven] { $sure_claims ->
        [none] Renonce certaine, l'une de celles-ci : { $open_claims }.
       *[some] { $open_claims ->
            [none] Renonce : { $sure_claims }.
           *[some] Renonce : { $sure_claims } ; et l'une de celles-ci : { $open_claims }.
        }
    }
   *[other] Renonce possible : retournez le pli { $checked } pour voir.
}
notice-claim = { $shown ->
    [none] { $elsewhere ->
        [0] { $seat } a joué { $card } au pli { $trick }, mais avait forcément { $among } ({ $duty })
       *[other] { $seat } a joué { $card } au pli { $trick }, mais avait au moins une de ces cartes : { $among }. Les autres ne pouvaient pas les avoir toutes : { $elsewhere } au plus ({ $duty })
    }
   *[some] { $seat } a joué { $card } au pli { $trick } et avait { $shown }{ $shown_in ->
        [none] { "" }
       *[some] , d'après le pli { $shown_in }
    } ({ $duty })
}
notice-more_claims = { $more ->
    [one] et une autre
   *[other] et { $more } autres
}
notice-duty_follow = il fallait fournir
notice-duty_overtake = il fallait monter
notice-duty_trump = il fallait couper
notice-duty_over_trump = il fallait surcouper
notice-seen_played = { $seat }, pli { $trick }
notice-seen_turn_up = la retourne
notice-seen_paid = payée au pillage
notice-seen_pillaged = prise au pillage
notice-seen_taken_up = prise par le preneur
