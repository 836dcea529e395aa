awale-name = Awalé
awale-rules = Deux joueurs, deux rangées de six cases, 48 graines. Qui en a pris plus de la moitié gagne.
    .cards = Chaque joueur a sa rangée. On sème à partir d'elle puis dans l'autre, toujours dans le même sens.
    .deal = Quatre graines dans chaque case.
    .play = Prenez une de vos cases et semez ses graines une à une dans les cases suivantes ; on saute la case prise.
    .score = Votre dernière graine fait deux ou trois dans une case adverse ? Prenez-les. Revenez case par case, et prenez encore tant que chacune en a deux ou trois.
    .usual = Qui le peut doit donner des graines à un joueur qui n'en a plus.
