# T: re, seti, laruba, mzungu wa raru, mzungu wa vili, la sita, la tsano, la nne, dola
voice-rank = { $rank ->
    [A] re
    [7] seti
    [K] laruba
    [J] mzungu wa raru
    [Q] mzungu wa vili
    [6] la sita
    [5] la tsano
    [4] la nne
    [3] dola
   *[other] { $rank }
}
# =
voice-card = { $rank } { $suit }
    .short = { $rank } { $suit }
# =
voice-the = { $card }
# =
voice-joker = joker
