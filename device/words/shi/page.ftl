# T: turufu
page-table-trump = turufu
# T: turufu
page-table-trump_is = Turufu : { $suit }
# T: turufu
page-table-no_trump = Turufu · (fr) Pas encore d'atout
# T: ushindra
page-table-won = Ushindra : { $side }
# T: ushindra
page-table-over = Ushindra · (fr) la partie est finie
# T: turufu
page-phases-bidding = Turufu · (fr) on choisit
# T: turufu
page-phases-bids = Turufu · (fr) on choisit
# =
page-card-name = { $rank } · { $suit }
# M: bao
page-board-counts = Bao · (fr) Rangées de la plus loin à la plus proche : { $rows }
# M: tso
page-board-hidden = Tso · (fr) Le nombre de graines est caché. Pour le montrer : Maison → Nombre de graines.
# M: uwula
page-board-captured = uwula { $number }
# M: bao
page-mend-board = Bao
# M: bao
page-mend-events-board = Bao
# T: turufu
page-mend-events-take = Turufu · (fr) pris
