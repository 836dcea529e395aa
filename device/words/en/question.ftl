# What the table is asked. The buttons carry the answers (answer.ftl).
question-taken = { $winner ->
    [none] { $seat } gathered trick { $trick }, but cannot have won it. Am I right?
   *[other] { $seat } gathered trick { $trick }, but { $winner } won it. Am I right?
}
question-lead = { $seat } led trick { $trick } with { $cards }, but { $expected } leads. Am I right?
question-two = { $seat } put down two cards in trick { $trick }: { $cards }. Am I right?
question-twice = { $seat } played { $cards } in trick { $trick }, seen before ({ $first_seen }). Am I right?
question-turn = { $seat } played { $cards } when it was { $expected }'s turn. Am I right?
question-other_game = { $card ->
    [none] Is it another game, or another number of players?
   *[other] Cards like { $card } are not in this game. Is it another game?
}
question-missing = Cards not seen in the last trick: { $missing }. Are any really missing?
question-winner = Who won trick { $trick }: { $choices }?
question-pillaged = The turned-up card changed: { $cards }. Was it pillaged?
question-card = Which card was it: { $choices }?
question-leader = Who led the first trick: { $choices }?
question-counts = { $seat } put down two cards in trick { $trick }. Which one counts: { $choices }?
question-offer = { $seat } offers to give up this deal. Accept?
question-penalty = { $side } revoked. Apply the penalty?
question-which_turn = Which turn was it: { $choices }?
question-adopt = No legal turn gives this board. What now: { $choices }?
question-knocked = Was the board knocked? Choose: { $choices }.
question-taker = { $bid ->
    [none] Who takes: { $choices }?
    [take] I take { $card }, if nobody takes before me. Who takes: { $choices }?
    [suit] I pass, then take { $suit }. Who takes: { $choices }?
   *[pass] I pass. Who takes: { $choices }?
}
question-trump = { $seat } takes. What is trump: { $choices }?
question-new_game = The board is set up as at the start. New game: { $choices }?
question-played_on = { $illegal } Play went on. Let it stand?
question-other_turn = I asked for { $wanted }, but { $key } was played. Let it stand?
question-rest = Hands were laid open. Who takes the rest: { $choices }?
question-laid = Which card did { $seat } play: { $choices }?
question-whose = Who played { $card }: { $choices }?
question-first = Which card came first: { $choices }?
question-lifted = Was { $card } taken back?
question-turned_up = Which card was turned up first: { $choices }?
question-other = Or was it: { $choices }?
question-trump_right = Did { $seat } really take, with { $suit } as trump? The cards played say otherwise.
question-announced = Did { $seat } announce belote?
question-bonus = Who held king and queen of trump: { $choices }?
question-suit = Which suit was trump: { $choices }?
# About a deal that is over already; the question itself follows.
question-late = About an earlier deal. { $question }
question-game = Which game is it?
question-teams = Each alone, or two sides?
question-preset = Which rule set?
