# T: upua
option-draw_first = Upua
# T: bwati ya karata
option-packs = Bwati ya karata
