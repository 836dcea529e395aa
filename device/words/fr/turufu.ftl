turufu-name = Turufu
turufu-deal_scored = { $muzinga ->
    [true] Muzinga ! Un camp a pris tous les plis. Jeux { $games }, en tout { $match }.
   *[other] { $murisi ->
        [none] { $tied ->
            [true] Sawa, 60 partout. Personne ne marque ; la prochaine donne vaut { $tie_bonus } de plus.
           *[other] Donne finie : { $points }. Jeux { $games }, en tout { $match }.
        }
       *[other] { $alone ->
            [true] Kali wa murisi : { $loser }. { $points }. Jeux { $games }, en tout { $match }.
           *[other] Kawala wa murisi : { $loser }. { $points }. Jeux { $games }, en tout { $match }.
        }
    }
}
turufu-not_in_pack = { $seat } a joué { $cards }. Cette carte marque les jeux perdus : elle ne se joue pas.
turufu-rules = Les camps gagnent des points dans les plis. Le premier camp à quatre jeux gagne la partie.
    .cards = 36 cartes. Le 8, le 9, le 10, le 2 et le joker ne se jouent pas : ils marquent les jeux perdus.
    .deal = Trois cartes chacun. La carte suivante est retournée sous le talon : sa couleur est atout. Le joueur à gauche du donneur entame. Dès le deuxième pli, chacun pioche une carte avant de jouer, le gagnant d'abord.
    .play = Fournissez la couleur demandée si vous l'avez. Sinon, jouez ce que vous voulez : rien n'oblige à couper ni à monter. Le plus fort atout gagne le pli. S'il n'y en a pas, c'est la plus forte carte de la couleur demandée.
    .score = Une donne vaut 120 points. 61 ou plus gagnent un jeu, 91 ou plus en gagnent deux. Tous les plis (muzinga) gagnent la partie d'un coup. À 60 partout, personne ne marque, et la prochaine donne vaut un jeu de plus.
    .usual = Chaque jeu perdu apporte une carte : 8, 9, 10, 2, puis le joker. Les partenaires ne se font pas de signes.
turufu-penalty = Renonce coûte
    .alert = rien
    .about = Combien de jeux coûte une renonce prouvée, si les joueurs sont d'accord.
