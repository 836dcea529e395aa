play-keys = Tapez un coup, ou : hint (un conseil), undo (reprendre), quit (arrêter).
play-your_turn = À vous : { $turns }
play-device = Hisabu joue { $turn }{ $captured ->
    [0] .
   *[other] {" "}et prend { $captured }.
}
play-not_legal = { $typed } n'est pas un coup permis. Vous pouvez jouer { $turns }.
play-nothing_to_undo = Il n'y a rien à reprendre.
play-hint = Essayez { $turn }.
play-best = C'était le meilleur coup.
play-won = Vous gagnez.
play-lost = Hisabu gagne.
play-drawn = Personne ne gagne.
play-no_camera = Dans le terminal, { $game } se joue sans --camera. À une vraie table : `hisabu run --device-seat N`.
# Une partie de cartes : la personne est à la place 1, l'appareil à toutes les autres.
play-cards_keys = Tapez une carte (10H), ou : hint (un conseil), undo (reprendre), quit (arrêter).
play-cards_lie = Atout { $trump }, retourne { $turn_up }. Sur la table : { $trick }
play-cards_hand = Votre main : { $cards }
play-cards_pillage = Vous pouvez prendre { $card } : payez avec une de vos cartes, ou passez.
play-say_pay = payer { $what }
play-say_take = { $what ->
    [none] prendre
   *[other] prendre { $what }
}
play-say_pass = passer
play-say_offer = proposer
play-say_accept = accepter
play-say_refuse = refuser
play-cards_forbidden = Vous ne pouvez pas jouer { $card } : { $why }. Vous pouvez jouer { $turns }.
play-cards_laid = { $seat } : { $card }
play-cards_trick = { $yours ->
    [true] Vous remportez le pli avec { $card } : { $cards }.
   *[false] { $seat } remporte le pli avec { $card } : { $cards }.
}
play-cards_gave = { $turn } était meilleur. Gain en { $unit ->
    [points] points
   *[games] jeux
} : { $lost }.
play-cards_deal = La donne est finie. Score : { $games }
play-cards_won = Vous gagnez la partie.
play-cards_lost = Les autres gagnent la partie.
play-you = Vous
play-partner = Votre partenaire (joueur { $number })
play-other = Joueur { $number }
play-no_second = Aux cartes, la donne décide qui commence : sans --second.
play-lesson_keys = Tapez un coup, ou : hint (un conseil), quit (arrêter).
play-lesson = Leçon { $number } sur { $many } : vous êtes Sud. Trouvez le meilleur coup.
play-again = Essayez encore.
play-lessons_over = C'était la dernière leçon.
play-usual_rules = Les leçons suivent les règles habituelles : sans --preset ni --set.
play-no_lessons = { $game } n'a pas encore de leçons.
