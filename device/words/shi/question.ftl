# T: uanua
question-taken = { $winner ->
    [none] Uanua · (fr) { $seat } a ramassé le pli { $trick }, mais n'a pas pu le gagner. Est-ce juste ?
   *[other] Uanua · (fr) { $seat } a ramassé le pli { $trick }, mais { $winner } l'a gagné. Est-ce juste ?
}
# M: uteza
question-which_turn = Uteza · (fr) Quel coup était-ce : { $choices } ?
# M: bao
question-knocked = Bao · (fr) A-t-il été bousculé ? { $choices } ?
# M: mraha wa tso
question-new_game = Mraha wa tso · (fr) Les graines sont comme au début. Nouvelle partie ? { $choices } ?
