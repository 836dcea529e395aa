card-suit_C = trèfle
card-suit_D = carreau
card-suit_H = cœur
card-suit_S = pique
card-joker = le joker
card-letter_K = R
card-letter_Q = D
card-letter_J = V
