awale-name = Awalé
awale-rules = Deux joueurs, deux rangées de six cases, 48 graines. Qui en a pris plus de la moitié gagne.
    .cards = Chaque joueur a sa rangée. On sème à partir d'elle puis dans l'autre, toujours dans le même sens.
    .deal = Quatre graines dans chaque case.
    .play = Prenez une de vos cases et semez ses graines une à une dans les cases suivantes ; on saute la case prise.
    .score = Si la dernière graine porte une case adverse à deux ou trois, vous prenez ces graines, et celles des cases juste avant qui en ont aussi deux ou trois.
    .usual = Qui le peut doit donner des graines à un joueur qui n'en a plus.
