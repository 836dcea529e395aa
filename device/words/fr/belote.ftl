belote-name = Belote
belote-deal_scored = { $revoked ->
    [none] { $capot ->
        [true] Capot ! Tous les plis au même camp. On marque { $games }, partie { $match }.
       *[other] { $inside ->
            [true] { $taker } a pris et chute : { $points }. On marque { $games }, partie { $match }.
           *[other] { $tie_bonus ->
                [0] { $taker } a pris et réussit : { $points }. On marque { $games }, partie { $match }.
               *[other] Litige : { $points }. La prochaine donne décide de { $tie_bonus } points. On marque { $games }, partie { $match }.
            }
        }
    }
   *[other] Renonce : { $revoked } perd la donne. On marque { $games }, partie { $match }.
}
belote-rules = Deux contre deux, votre partenaire en face de vous. Un joueur prend et choisit l'atout. Son camp doit alors faire plus de points que l'autre.
    .cards = 32 cartes. L'atout a son ordre à lui : le valet et le neuf sont les plus forts.
    .deal = Cinq cartes chacun, et une carte retournée. Chacun à son tour peut la prendre comme atout. Si personne ne prend, chacun peut nommer une autre couleur. Puis on donne le reste : huit cartes chacun.
    .play = Fournissez la couleur. Si l'atout est demandé, montez si vous pouvez. Si vous n'avez pas la couleur, coupez, et plus haut que l'atout posé si vous pouvez. Quand votre partenaire est maître, jouez ce que vous voulez.
    .score = 162 points avec le dix de der. Le preneur doit en faire plus de la moitié, sinon l'autre camp marque tout. Tous les plis (capot) valent 252. Roi et dame d'atout dans une même main comptent 20.
    .usual = Une renonce prouvée donne le coup à l'autre camp dans la plupart des maisons.
belote-penalty = Renonce coûte
    .alert = rien
    .hand = la donne
    .about = Ce que coûte une renonce prouvée, si les joueurs sont d'accord : rien, ou la donne et 162 points à l'autre camp.
