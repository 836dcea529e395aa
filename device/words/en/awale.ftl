awale-name = Awalé
awale-rules = Two players, two rows of six pits, 48 seeds. Whoever takes more than half of them wins.
    .cards = Each row is a player's own. Sowing goes on from it through the other row, always the same way round.
    .deal = Four seeds lie in every pit.
    .play = Lift a pit of yours and drop its seeds one by one into the pits that follow; the pit you lifted is left out.
    .score = Your last seed makes two or three in a pit of the other side? Take them. Go back pit by pit, and take there too as long as each holds two or three.
    .usual = Who can must give seeds to a player who has none.
