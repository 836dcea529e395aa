awale-name = Awalé
awale-rules = Two players, two rows of six pits, 48 seeds. Who has taken more than half of them wins.
    .cards = Each row is a player's own. Sowing goes on from it through the other row, always the same way round.
    .deal = Four seeds lie in every pit.
    .play = Lift a pit of yours and drop its seeds one by one into the pits that follow; the pit you lifted is left out.
    .score = If the last seed brings a pit of the other side to two or three, you take these seeds, and those of the pits right before it that hold two or three as well.
    .usual = Who can must give seeds to a player who has none.
