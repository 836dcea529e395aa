pins-no_wires = Avec build = { $build } il n'y a pas de fils : hisabu setup --build minimal, standard ou tournament
pins-lamp = la lampe { $name } était allumée (GPIO{ $pin })
pins-sound = trois notes
pins-press = Appuyez une fois sur chaque bouton en moins de { $seconds } secondes : { $names }
pins-pressed = { $name } est enfoncé
pins-missing = Pas enfoncés, ou pas branchés : { $names }
pins-all_well = Tous les boutons répondent. Chaque lampe était-elle la bonne, et avez-vous entendu les notes ?
