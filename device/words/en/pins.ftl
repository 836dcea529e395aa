pins-no_wires = With build = { $build } there are no wires: hisabu setup --build minimal, standard or tournament
pins-lamp = lamp { $name } was on (GPIO{ $pin })
pins-sound = three tones
pins-press = Press each button once within { $seconds } seconds: { $names }
pins-pressed = { $name } is pressed
pins-missing = Not pressed, or not wired: { $names }
pins-all_well = All buttons answer. Was each lamp the right one, and did you hear the tones?
