voice-card = { $rank } of { $suit }
    .short = { $rank } { $suit }
voice-rank = { $rank ->
    [A] ace
    [K] king
    [Q] queen
    [J] jack
   *[other] { $rank }
}
# In a sentence: somebody played the ace.
voice-the = { $rank ->
   *[other] the { $card }
}
voice-joker = joker
voice-unread = a card that I cannot read
voice-play = { $seat }: { $card }
    .short = { $seat } { $card }
voice-deal = { $dealer ->
    [none] A new deal.
   *[other] { $dealer } deals.
} { $card ->
    [none] No card is turned up.
   *[other] Turned up: { $card }.
}
voice-trick = { $points ->
    [none] Trick to { $seat }.
   *[other] Trick to { $seat }, { $points } points.
}
    .short = Trick to { $seat }.
voice-void_deal = Misdeal. The same dealer deals again.
voice-taken_back = { $seat } takes a card back.
voice-take = { $seat } takes. Trump is { $trump }.
voice-offer = { $seat } offers to give up this deal.
voice-answer = { $accept ->
    [true] The offer is accepted.
   *[other] The offer is refused.
}
voice-pillage = { $seat } takes the { $card }{ $paid ->
    [none] .
   *[other] {" "}and pays with the { $paid }.
} { $next ->
    [none] No other card is turned up yet.
   *[other] Turned up: { $next }.
}
voice-turn_up = Turned up: { $card }.
voice-correct = { $card ->
    [none] Corrected.
   *[other] Corrected: { $seat ->
        [none] { $card }.
       *[other] { $seat }, { $card }.
    }
}
voice-lies = { $cards ->
    [none] Nothing lies on the table.
   *[other] On the table: { $cards }.
}
voice-which = { $seat ->
    [none] A card in trick { $trick }: which is it?
   *[other] Which card did { $seat } play in trick { $trick }?
}
voice-trump = Trump is { $suit }.
voice-turn = { $seat } to play.
voice-button = { $button }: { $answer }.
voice-score = { $players }: { $score }.
voice-to = to
voice-last_turn = Last turn: { $turn }.
voice-captured = { $number } captured
voice-in_hand = { $number } in hand
voice-right = to the right
voice-left = to the left
voice-menu_closed = The menu is closed.
voice-welcome = To hear everything I see, hold down button A, the first of the three, for a second.
voice-ready = I am on.
voice-begun = I say everything aloud. When I ask nothing: A says what lies there, B takes back, C is the menu. Hold A to silence me.
voice-silenced = I am silent.
voice-wifi = Wi-Fi { $ssid }, password: { $password }. Then press a button.
voice-invite = On the phone: { $address }{ $code ->
    [none] .
   *[other] , code { $code }.
}
