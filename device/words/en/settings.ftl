settings-value = { $key } = { $value } is not possible. Allowed: { $allowed }
settings-display = display = { $value }: with build = { $build }, choose from { $allowed }
settings-players = players = { $value }: with game = { $game } and these house rules, choose from { $allowed }
settings-seats = device_seat = { $value }: with game = { $game }, choose from 1 to { $most }, or 0 for no seat
settings-seat_of_game = device_seat = { $value }: name the game too, for example --game belote: the device cannot ask for a card before it knows the game
settings-no_seat = device_seat = { $value }: seats are for card games. At { $game }: --against LEVEL
settings-angles = seats_deg = { $value }: give { $players } angles, one for each player
settings-angles_apart = seats_deg = { $value }: two players cannot sit in the same place. Leave at least { $least } degrees between them
settings-no_key = there is no key { $key }; { $hint }
settings-no_game = there is no game { $key }; { $hint }
settings-no_option = there is no house rule { $key }; { $hint }
settings-options = options = { $value }: write a section for each game, like [options.turufu]
settings-house = { $key } = { $value }: write a section, [{ $key }]
settings-hint_near = did you mean { $near }?
settings-hint_known = choose from { $known }
settings-hint_below = write it below [options.{ $game }]
settings-no_text = this is not text (byte { $byte })
settings-no_toml = this is not TOML
settings-no_toml_at = this is not TOML: look at line { $line }, column { $column }
settings-nested = this is not TOML: too many nested lists or tables
settings-allowed_values = { $values }
settings-allowed_from_to = { $low } to { $high }
settings-allowed_whole = a whole number from { $low } to { $high }
settings-allowed_fraction = a number from { $low } to 1
settings-allowed_names = a list of at most { $most } names of 1 to { $letters } letters, none of them invisible
settings-allowed_numbers = a list of { $most } numbers from { $low } to { $high }
settings-allowed_corners = four places in the picture, clockwise (eight numbers from 0 to 1), or none
settings-allowed_numbers_at_most = a list of at most { $most } numbers from { $low } to { $high }
settings-allowed_size = "WIDTHxHEIGHT", both even and from { $low } to { $high }
settings-allowed_path = a full path
settings-allowed_path_or_none = a full path, or "" for none
settings-allowed_panel = "auto", "none", a full path, an address like socket://…
settings-allowed_camera = "pi", "usb:0" ("usb:1" …), "http://…" or "rtsp://…", "simulated", a full path
settings-allowed_broker = mqtt://host, mqtts://host:port, or "" for none
settings-allowed_line = up to { $longest } letters without spaces
settings-allowed_table = up to 32 small letters, digits, - and _
settings-file_allowed = Allowed: { $allowed }. Default: { $default }
settings-file_head = Hisabu's settings, read at the start. `hisabu setup` asks for them; the device's menu changes some.
settings-file_anew = Both rewrite this file and drop your own comments. A key that is missing or behind a # has its default.
settings-allowed_command_or_none = a command, or "" for none
