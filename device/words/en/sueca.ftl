sueca-name = Sueca
sueca-deal_scored = { $how ->
    [every] One side took every trick: four games. Games { $games }, in all { $match }.
    [double] More than 90 counts double: { $points }. Games { $games }, in all { $match }.
    [even] 60 each. Nobody scores. Games in all { $match }.
   *[other] Deal over: { $points }. Games { $games }, in all { $match }.
}
sueca-rules = Two against two, partners across. The first side with four games wins the match.
    .cards = 40 cards: no 8, 9 and 10. The seven is the second highest card.
    .deal = Ten cards each. The dealer shows the last card: its suit is trump, and the card goes into the dealer's hand. The next player leads.
    .play = Follow the suit led if you can. If not, play anything: nobody must trump or play higher. The highest trump wins the trick, without trump the highest card of the suit led.
    .score = A deal holds 120 points. 61 or more win a game, 91 or more two, every trick four. At 60 each nobody scores.
    .usual = A proven revoke costs what the players decide: four games in most houses.
sueca-target = Games to win
    .about = How many games win the match?
