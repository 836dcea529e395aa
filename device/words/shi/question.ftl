# T: uanua
question-taken = { $winner ->
    [none] Uanua · (fr) { $seat } a ramassé le pli { $trick }, mais n'a pas pu le gagner. Ai-je bien vu ?
   *[other] Uanua · (fr) { $seat } a ramassé le pli { $trick }, mais { $winner } l'a gagné. Ai-je bien vu ?
}
# M: uteza
question-which_turn = Uteza · (fr) Quel coup était-ce : { $choices } ?
# M: bao
question-knocked = Bao · (fr) A-t-il été bousculé ? Choisissez : { $choices }.
# M: mraha wa tso
question-new_game = Mraha wa tso · (fr) Les graines sont comme au début. Nouvelle partie : { $choices } ?
