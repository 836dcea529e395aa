mraha-name = Mraha wa tso
mraha-preset_mraha = Mraha
mraha-preset_kiswahili = Kiswahili
mraha-match_won = { $emptied ->
    [true] { $player } gagne. La rangée avant de l'autre joueur est vide.
   *[other] { $player } gagne.
}
mraha-move = { $uladza ->
    [true] { $player } joue { $key }. Une graine repose dans le coin.
   *[other] { notice-move }
}
mraha-rules = Deux joueurs, quatre rangées de huit cases, 64 graines. Qui ne peut plus jouer, ou dont la rangée avant est vide, a perdu.
    .cards = Vos deux rangées forment un anneau. La rangée avant fait face à l'autre joueur. La case carrée est la nyumba ; les bouts sont les coins (kotso).
    .deal = Six graines sont dans la nyumba et deux dans chacune des deux cases suivantes ; chaque joueur garde 22 graines en main.
    .play = Munia : chaque coup commence par une graine de la main dans une case avant qui n'est pas vide. Si elle fait face à des graines, elle les prend : on les sème de votre côté à partir d'un coin. Si la dernière graine tombe dans une case garnie, continuez avec celles-ci. Une case vide finit le coup. Il faut prendre si on peut. Teza, quand les deux mains sont vides : prenez une case et semez-la.
    .score = Videz l'autre rangée avant, ou ne laissez aucun coup à l'autre joueur, et vous gagnez.
    .usual = On ne touche les graines pour les compter qu'à son tour ; sinon, il faut s'en souvenir.
