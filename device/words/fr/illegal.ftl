illegal-not_in_pack = { $seat } a joué { $cards }. Ce jeu n'a pas cette carte.
illegal-seen_before = { $seat } a joué { $cards } au pli { $trick }, mais on l'a déjà vue ({ $first_seen }).
illegal-two_from_one_seat = { $seat } a posé deux cartes au pli { $trick } : { $cards }.
illegal-out_of_turn = { $seat } a joué { $cards } hors de son tour. { $expected } doit jouer.
illegal-wrong_leader = { $seat } a entamé le pli { $trick } avec { $cards }, mais { $expected } doit entamer.
illegal-before_taken = { $seat } a joué { $cards } avant que le pli soit ramassé.
illegal-taken_by_wrong_side = { $seat } a ramassé le pli { $trick }, mais { $winner } l'a gagné.
illegal-turn_up_changed = { $taken ->
    [true] { $without_ace ->
        [true] { $first_seen ->
            [none] { $seat } a pillé { $cards } sans avoir l'as d'atout.
           *[some] { $seat } a pillé { $cards }, mais l'as d'atout était ailleurs ({ $first_seen }).
        }
       *[other] { $seat } ne peut pas piller : { $cards }.
    }
   *[other] La retourne a changé : { $cards }.
}
illegal-cards_missing = { $listed ->
    [many] Cartes manquantes dans cette donne : { $missing }.
    [some] De ces cartes, { $missing } manquent dans cette donne : { $cards }.
   *[all] Il manque dans cette donne : { $cards }.
}
illegal-points_do_not_add_up = Le compte des points n'y est pas : { $total } au lieu de { $all }.
illegal-capture_owed = { $player } doit prendre : { $key } ne prend rien.
illegal-single_seed_start = { $player } ne peut pas commencer ce coup avec une seule graine ({ $key }).
illegal-nyumba_start = { $player } ne peut pas commencer par la nyumba ({ $key }).
illegal-back_row_start = { $player } doit commencer dans la rangée avant ({ $key }).
illegal-too_many_to_capture = { $player } ne peut pas prendre avec plus de 15 graines ({ $key }).
illegal-blocked_pit = { $player } ne peut pas jouer cette case : elle est bloquée (kutakatia ; { $key }).
illegal-dropped_wrong = { $player } a posé une graine dans la mauvaise case ({ $pits }).
illegal-took_what_it_may_not = { $player } a pris des graines qu'on ne peut pas prendre ({ $key }).
illegal-stopped_short = { $player } a fini trop tôt. Le coup continue ({ $key }).
illegal-hand_not_used = { $player } doit d'abord jouer une graine de sa main.
illegal-opponents_turn = { $player } a joué, mais c'était à l'autre joueur.
illegal-played_twice = { $player } a joué deux fois.
illegal-moved_opponents_seeds = { $player } a bougé les graines de l'autre joueur.
illegal-seeds_missing = Graines manquantes : { $missing }.
illegal-seeds_added = Graines de trop sur le tablier : { $added }.
illegal-endless = { $player } ne peut pas jouer { $key } : ce coup ne finit jamais.
illegal-must_feed = { $player } doit donner des graines à l'autre joueur : { $key } n'en donne pas.
