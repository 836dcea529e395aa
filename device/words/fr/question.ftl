question-taken = { $winner ->
    [none] { $seat } a ramassé le pli { $trick }, mais n'a pas pu le gagner. Ai-je bien vu ?
   *[other] { $seat } a ramassé le pli { $trick }, mais { $winner } l'a gagné. Ai-je bien vu ?
}
question-lead = { $seat } a entamé le pli { $trick } avec { $cards }, mais { $expected } devait entamer. Ai-je bien vu ?
question-two = { $seat } a posé deux cartes au pli { $trick } : { $cards }. Ai-je bien vu ?
question-twice = { $seat } a joué { $cards } au pli { $trick }, déjà vue ({ $first_seen }). Ai-je bien vu ?
question-turn = { $seat } a joué { $cards } alors que { $expected } devait jouer. Ai-je bien vu ?
question-other_game = { $card ->
    [none] Est-ce un autre jeu, ou un autre nombre de joueurs ?
   *[other] { $card } n'est pas une carte de ce jeu. Est-ce un autre jeu ?
}
question-missing = Au dernier pli, cartes non vues : { $missing }. Est-ce qu'il en manque vraiment ?
question-winner = Qui a gagné le pli { $trick } : { $choices } ?
question-pillaged = La retourne a changé : { $cards }. A-t-elle été pillée ?
question-card = Quelle carte était-ce : { $choices } ?
question-leader = Qui a entamé le premier pli : { $choices } ?
question-counts = { $seat } a posé deux cartes au pli { $trick }. Laquelle compte : { $choices } ?
question-offer = { $seat } propose d'abandonner cette donne. Accepter ?
question-penalty = { $side } a fait une renonce. Appliquer la pénalité ?
question-which_turn = Quel coup était-ce : { $choices } ?
question-adopt = Aucun coup permis ne donne ce tablier. Que faire : { $choices } ?
question-knocked = Le tablier a-t-il été bousculé ? Choisissez : { $choices }.
question-taker = { $bid ->
    [none] Qui prend : { $choices } ?
    [take] Je prends { $card }, si personne ne prend avant moi. Qui prend : { $choices } ?
    [suit] Je passe, puis je prends à { $suit }. Qui prend : { $choices } ?
   *[pass] Je passe. Qui prend : { $choices } ?
}
question-trump = { $seat } prend. Quel est l'atout : { $choices } ?
question-new_game = Les graines sont comme au début. Nouvelle partie : { $choices } ?
question-played_on = { $illegal } La partie a continué. Garder ce coup ?
question-other_turn = J'ai demandé { $wanted }, mais { $key } a été joué. Le garder ?
question-rest = Les mains sont étalées. Qui prend le reste : { $choices } ?
question-laid = Quelle carte a été jouée par { $seat } : { $choices } ?
question-whose = Qui a joué { $card } : { $choices } ?
question-first = Quelle carte est venue d'abord : { $choices } ?
question-lifted = La carte { $card } a-t-elle été reprise ?
question-turned_up = Quelle carte a été retournée en premier : { $choices } ?
question-other = Ou bien : { $choices } ?
question-trump_right = Est-ce bien { $seat } qui a pris, atout { $suit } ? Les cartes jouées disent autre chose.
question-announced = La belote a-t-elle été annoncée par { $seat } ?
question-bonus = Qui avait roi et dame d'atout : { $choices } ?
question-suit = Quel était l'atout : { $choices } ?
question-late = À propos d'une donne passée. { $question }
question-game = Quel jeu est-ce ?
question-teams = Chacun pour soi, ou deux camps ?
question-preset = Quelle variante ?
