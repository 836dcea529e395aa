mraha-name = Mraha wa tso
mraha-preset_mraha = Mraha
mraha-preset_kiswahili = Kiswahili
mraha-match_won = { $emptied ->
    [true] { $player } wins. The other player's front row is empty.
   *[other] { $player } wins.
}
mraha-move = { $uladza ->
    [true] { $player } plays { $key }. A seed rests in the corner.
   *[other] { notice-move }
}
mraha-rules = Two players, four rows of eight pits, 64 seeds. Who cannot move, or has an empty front row, has lost.
    .cards = Your two rows are a ring. The front row faces the other player. The square pit is the nyumba; the ends are the corners (kotso).
    .deal = Six seeds lie in the nyumba and two in each of the next two pits; 22 seeds stay in each hand.
    .play = Munia: each turn begins with a seed from the hand into a front pit that is not empty. If it faces seeds, it captures them: they are sown from a corner on your own side. If the last seed falls in a pit with seeds, go on with these. An empty pit ends the turn. You must capture if you can. Teza, once both hands are empty: lift a pit and sow it.
    .score = Empty the other front row, or leave the other player no turn, and you win.
    .usual = Counting seeds by touch is for your own turn: to remember is part of the skill.
