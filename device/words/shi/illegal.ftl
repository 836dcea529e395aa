# T: bwati ya karata
illegal-not_in_pack = Bwati ya karata · (fr) { $seat } a joué { $cards }. Ce jeu n'a pas cette carte.
# T: uangadza
illegal-out_of_turn = Uangadza · (fr) { $seat } a joué { $cards } avant { $expected }.
# T: uanua, upara
illegal-taken_by_wrong_side = Uanua : { $seat }. Upara : { $winner }. (fr) { $seat } a ramassé le pli { $trick }.
# T: turufu
illegal-turn_up_changed = { $taken ->
    [true] { $without_ace ->
        [true] { $first_seen ->
            [none] Turufu · (fr) { $seat } a pillé { $cards } sans avoir l'as d'atout.
           *[some] Turufu · (fr) { $seat } a pillé { $cards }, mais l'as d'atout était ailleurs ({ $first_seen }).
        }
       *[other] Turufu · (fr) { $seat } ne peut pas piller : { $cards }.
    }
   *[other] Turufu · (fr) La retourne a changé : { $cards }.
}
# M: muwule
illegal-capture_owed = Muwule ! (fr) { $player } doit prendre : { $key } ne prend rien.
# M: trakatra
illegal-single_seed_start = Trakatra · (fr) { $player } ne peut pas commencer ce coup avec une seule graine ({ $key }).
# M: nyumba
illegal-nyumba_start = Nyumba · (fr) { $player } ne peut pas commencer par elle ({ $key }).
# M: trakatra
illegal-back_row_start = Trakatra · (fr) { $player } doit commencer dans la rangée avant ({ $key }).
# M: ndrazi
illegal-too_many_to_capture = Ndrazi · (fr) { $player } ne peut pas prendre avec plus de 15 graines ({ $key }).
# M: ngama
illegal-dropped_wrong = Ngama · (fr) { $player } a posé une graine dans la mauvaise case ({ $pits }).
# M: umunia
illegal-hand_not_used = Umunia · (fr) { $player } doit d'abord jouer une graine de sa main.
# M: uteza
illegal-opponents_turn = Uteza · (fr) { $player } a joué, mais c'était à l'autre joueur.
# M: uteza
illegal-played_twice = Uteza · (fr) { $player } a joué deux fois.
# M: tso
illegal-moved_opponents_seeds = Tso · (fr) { $player } a bougé les graines de l'autre joueur.
# M: uhisabu
illegal-seeds_missing = Uhisabu · (fr) Graines manquantes : { $missing }.
# M: uhisabu
illegal-seeds_added = Uhisabu · (fr) Graines de trop sur le tablier : { $added }.
