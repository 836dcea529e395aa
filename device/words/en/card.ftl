card-suit_C = clubs
card-suit_D = diamonds
card-suit_H = hearts
card-suit_S = spades
card-joker = the joker
card-letter_K = K
card-letter_Q = Q
card-letter_J = J
