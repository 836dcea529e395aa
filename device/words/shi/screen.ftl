# T: turufu
screen-trump = turufu
# T: ushindra
screen-won = USHINDRA
# M: uwula
screen-captured = uwula
# M: umunia
screen-phase_munia = umunia
# M: uteza ndrazi
screen-phase_teza = uteza ndrazi
# M: uteza
screen-phase_play = uteza
