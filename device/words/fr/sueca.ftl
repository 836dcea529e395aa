sueca-name = Sueca
sueca-deal_scored = { $how ->
    [every] Un camp a pris tous les plis : quatre jeux. Jeux { $games }, en tout { $match }.
    [double] Plus de 90, cela compte double : { $points }. Jeux { $games }, en tout { $match }.
    [even] 60 partout. Personne ne marque. Jeux en tout { $match }.
   *[other] Donne finie : { $points }. Jeux { $games }, en tout { $match }.
}
sueca-rules = Deux contre deux, les partenaires face à face. Le premier camp à quatre jeux gagne la partie.
    .cards = 40 cartes : sans 8, 9 ni 10. Le sept est la deuxième carte la plus forte.
    .deal = Dix cartes chacun. Le donneur montre la dernière carte : sa couleur est atout, et elle entre dans sa main. Le joueur suivant entame.
    .play = Fournissez la couleur demandée si vous l'avez. Sinon, jouez ce que vous voulez : rien n'oblige à couper ni à monter. Le plus fort atout gagne le pli. S'il n'y en a pas, c'est la plus forte carte de la couleur demandée.
    .score = Une donne vaut 120 points. 61 ou plus gagnent un jeu, 91 ou plus deux, tous les plis quatre. À 60 partout, personne ne marque.
    .usual = Une renonce prouvée coûte ce que les joueurs décident : quatre jeux dans la plupart des maisons.
sueca-target = Jeux pour gagner
    .about = Combien de jeux gagnent la partie ?
