turufu-name = Turufu
turufu-deal_scored = { $muzinga ->
    [true] Muzinga! One side took every trick. Games { $games }, in all { $match }.
   *[other] { $murisi ->
        [none] { $tied ->
            [true] Sawa, 60 each. Nobody scores; the next deal is worth { $tie_bonus } more.
           *[other] Deal over: { $points }. Games { $games }, in all { $match }.
        }
       *[other] { $alone ->
            [true] Kali wa murisi: { $loser }. { $points }. Games { $games }, in all { $match }.
           *[other] Kawala wa murisi: { $loser }. { $points }. Games { $games }, in all { $match }.
        }
    }
}
# A card that no game of turufu plays, 8, 9, 10, 2 or the joker: it counts the games lost.
turufu-not_in_pack = { $seat } played { $cards }. That card marks the games lost: it is not played.
turufu-rules = The sides take points in tricks. The first side with four games wins the match.
    .cards = 36 cards. The 8, 9, 10, 2 and the joker are not played: they mark the games lost.
    .deal = Three cards each. The next card is turned up under the stock: its suit is trump. The player at the dealer's left leads. From the second trick on everybody draws a card before it, the winner first.
    .play = Follow the suit led if you can. If not, play anything: nobody must trump or play higher. The highest trump wins the trick, without trump the highest card of the suit led.
    .score = A deal holds 120 points. 61 or more win a game, 91 or more two. Every trick (muzinga) wins the match at once. At 60 each nobody scores, and the next deal is worth one game more.
    .usual = Each game lost brings a marker: 8, 9, 10, 2, then the joker. Partners give no signals.
turufu-penalty = Revoke costs
    .alert = nothing
    .about = How many games a proven revoke costs, if the players agree.
