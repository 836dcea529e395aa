# T: pao
card-suit_C = pao
# T: shipaza
card-suit_D = shipaza
# T: kopa
card-suit_H = kopa
# T: uru
card-suit_S = uru
# T: re
card-rank_A = re
# T: seti
card-rank_7 = seti
# T: laruba
card-rank_K = laruba
# T: mzungu wa raru
card-rank_J = mzungu wa raru
# T: mzungu wa vili
card-rank_Q = mzungu wa vili
# T: la sita
card-rank_6 = la sita
# T: la tsano
card-rank_5 = la tsano
# T: la nne
card-rank_4 = la nne
# T: dola
card-rank_3 = dola
