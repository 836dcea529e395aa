# What cannot be, and what to do about it. Names of events and fields stay as they are written: play, taken_back.

## An event
mistake-nothing_to_undo = undo: there is nothing left to take back
mistake-nothing_to_redo = redo: nothing was just taken back
mistake-no_event_yet = event { $number } does not exist yet; the last is { $last }
mistake-not_of_the_game = event { $event } only changed another one; name that one instead
mistake-does_not_stand = event { $event } was taken back, or only answered a question
mistake-gone_event = event { $event } was taken back
mistake-offer_none = offer: in { $game } nobody can give up a deal at this table
mistake-offer_late = offer: a deal can only be given up before the fifth trick
mistake-offer_again = offer: giving up this deal was already offered
mistake-answer_none = answer: no offer is open
mistake-board_in_cards = { $game } has no board
mistake-cards_on_board = { $game } is played on a board; send board events
mistake-no_such_seat = { $name } { $place }: this table has seats 0 to { $last }
mistake-choose_none = choose: question { $question } is not open
mistake-choose_other = choose: "{ $value }" is not an answer to it; choose from { $allowed }
mistake-pillage_none = pillage: not part of { $game }
mistake-not_points = "{ $value }" is no score; give a whole number for each side
mistake-points_below = in this game no score is below { $least }
mistake-not_a_reason = a reason is one line of up to { $most } letters
mistake-points_of_sides = give a number for each side; there are { $count }
mistake-points_of_seeds = the two scores must add up to { $count }, the number of captured seeds
mistake-score_none = { $game } has no score to set
mistake-take_none = take: nobody chooses trump in { $game }
mistake-take_again = take: seat { $place } already took; correct that event if it was someone else
mistake-back_gone = taken_back: the trick of event { $event } was already gathered
mistake-back_none = taken_back: event { $event } did not play a card
mistake-deal_no_turn_up = deal: { $game } turns up no card; write turn_up: null
mistake-no_deal = no deal is being played
mistake-no_deal_yet = no deal is being played; start one with a deal event
mistake-deal_over = the deal is over; start the next with a deal event
mistake-no_trick = taken: there is no trick on the table
mistake-confirm_none = confirm: event { $event } is not a board that waits for an answer
mistake-confirm_question = confirm: question { $question } asks which turn it was; answer with choose
mistake-other_board = board: { $high } rows of { $wide } pits; { $game } has { $wanted } rows of { $pits }
mistake-not_a_seat = { $value } is not a seat; seats are numbers from 0
mistake-not_a_number = { $value } is not an event number; events are numbered from 1
mistake-not_a_card = "{ $value }" is not a card; write rank then suit, like 10H or AS
mistake-not_a_suit = "{ $value }" is not a suit; suits are { $allowed }
mistake-not_a_flag = "{ $value }" is neither true nor false
mistake-not_a_confidence = "{ $value }" is not a confidence; write a number from 0 to 1
mistake-not_cards = "{ $value }" is not a list of cards
mistake-not_an_answer = "{ $value }" is not an answer; use one of the question's choices
mistake-no_turn_now = device_turn: { $turn } is not a legal turn here
mistake-not_a_turn = a turn must be its key, like "F7+", not { $value }
mistake-not_asked = nobody can ask for "{ $value }"; choose from { $allowed }
mistake-few_answers = give 2 to { $most } answers, each with events
mistake-same_answers = two answers are the same
mistake-not_a_way = an answer looks like { "{" }"answer": "7H", "events": [{ "{" }"event": "play", "card": "7H"{ "}" }]{ "}" }
mistake-way_long = a choice of a question may contain at most { $most } events
mistake-way_other = a choice of a question may contain only play, taken_back and deal events
mistake-not_rows = { $what }: give rows of pits, all of the same length
mistake-not_a_count = "{ $value }" is not a number of seeds; a pit holds 0 to { $most }
mistake-not_a_count_key = "{ $value }" is not a number of seeds
mistake-not_likelihoods = "{ $value }": give one probability for each possible number of seeds
mistake-not_a_likelihood = "{ $value }" is not a likelihood
mistake-no_likelihood = all likelihoods of a pit are 0
mistake-not_an_event = an event looks like { "{" }"event": "play", "card": "10H"{ "}" }
mistake-unknown_event = there is no event "{ $value }"; choose from { $allowed }
mistake-pits_or_likelihood = board: give either pits or likelihood
mistake-missing_field = { $name }: { $field } is missing
mistake-correct_nothing = correct: name the fields to change
mistake-unknown_field = { $name }: there is no field "{ $value }"
mistake-in_field = { $name }: { $field }: { $error }
mistake-other_game = deal: another game begins
mistake-unknown_yet = we do not know the game yet
mistake-unknown_begin = we do not know yet which game begins
mistake-no_answer = there is no answer { $answer }

## A game and its house rules
mistake-option_value = { $name } = { $value }: choose from { $allowed }
mistake-unknown_option = there is no house rule "{ $name }"; choose from { $allowed }
mistake-unknown_game = there is no game "{ $value }"; choose from { $allowed }
mistake-head_start = no head start of { $by } for side { $side }: there are { $sides } sides, and the most is { $most }
mistake-unknown_preset = there are no rules called "{ $value }"; choose from { $allowed }
mistake-players = { $game } cannot be played by { $players }; players: { $allowed }
mistake-no_sides = teams = sides: { $players } players cannot make two equal sides
mistake-not_played_here = { $name } cannot be played here
mistake-no_game_of_tricks = { $name } is not a game with tricks
mistake-no_fault = there is no fault { $name }
mistake-no_option = there is no house rule "{ $name }"
mistake-not_decided = "{ $name }" cannot be changed here
mistake-game_first = --set: also name the game, with --game
mistake-no_equals = --set { $what }: write it as option=value

## A journal
mistake-in_line = line { $number }: { $error }
mistake-journal_empty = the journal is empty; a match begins with a header line
mistake-checksum = the line was changed or damaged (its checksum is wrong)
mistake-no_checksum = the line was changed or damaged (it has no checksum)
mistake-no_json = { $at ->
    [none] this is not JSON
   *[other] this is not JSON (look at character { $at })
}
mistake-not_an_object = a line of a journal is an object
mistake-no_journal = this is not a journal; one begins with { "{" }"hisabu":1,"game":…{ "}" }
mistake-no_format = there is no format { $version }
mistake-newer = a newer version wrote this (format { $version }, this one reads { $known }); update hisabu
mistake-no_header = the first line names no game or no number of players
mistake-odd_header = the first line of this match is damaged: its options, seats or opponent cannot be read
mistake-line_gone = event { $event } should stand here, not { $found }; a line was removed or added

## A position on a board
mistake-captured_form = "captured" should look like { "{" }"south": 7, "north": 5{ "}" }
mistake-house_form = { $name }: house_owned is "{ $value }", neither true nor false
mistake-phase_value = phase is "{ $value }"; choose from { $either }
mistake-phase_misfit = phase is { $value }, which does not fit: { $name } has { $held } seeds in hand
mistake-blocked_form = "blocked" should look like { "{" }"player": "south", "column": 3{ "}" }
mistake-blocked_other = blocked: only { $name }, who plays next, can have a blocked pit
mistake-blocked_column = blocked: column is "{ $value }"; it goes from 0 to { $last }
mistake-blocked_phase = blocked: no pit is blocked in phase 1
mistake-side_missing = "{ $name }" is missing or not an object
mistake-row_form = { $name }: { $row } is not a list of { $pits } pits
mistake-seeds_in = { $what } is "{ $value }"; it holds 0 to { $most } seeds
mistake-player_name = { $what } is "{ $value }"; choose from { $either }
mistake-seeds_total = { $total } seeds are too many; the game has { $most }
mistake-no_board_game = "{ $what }" is not a game on a board; choose from { $allowed }
mistake-too_much_input = standard input: more than { $most } MB
mistake-no_object = not a JSON object: { $what }
mistake-no_object_but = not a JSON object but { $what }

## An enrolled deck
mistake-cards_seen = I see { $found } cards, not { $wanted } (read as { $names }). Lay them apart, in rows, in good light.
mistake-cards_none = I see no card. Lay them face up, in good light.
mistake-cards_grey = I see no colour: hearts look like spades. Switch off night mode.
mistake-cards_order = The order is different: { $places }. Lay them as shown.
mistake-place_of = { $found } lies where { $wanted } should be
mistake-deck_large = this file is larger than any deck
mistake-deck_form = this is not the file of a learned deck
mistake-deck_network = an older version learned this deck

## A recording
mistake-recording_none = { $path }: not a recording (no { $name } in it). For a journal, name the file.
mistake-recording_no_json = { $path }: line { $at } is not JSON
mistake-recording_empty = { $path }: nothing was recorded
mistake-recording_other = { $path }: not a recording, or from another version
mistake-recording_header = { $path }: its first line does not name { $name }
mistake-recording_no_picture = { $path }: the picture of line { $at } is not in { $file }
mistake-recording_no_button = { $path }: line { $at } names a button that does not exist
mistake-first_line = its first line: { $error }
mistake-no_recording = there is no recording { $value }

## What is typed
mistake-at_file = { $path }: { $error }
mistake-page_place = --page { $what }: write off, here, network or HOST:PORT, like 127.0.0.1:8080
mistake-no_table_name = "{ $value }" is not a table name: use small letters, digits, - and _
mistake-no_place = "{ $value }" is not an address: write HOST:PORT or off
mistake-no_seed = "{ $value }" cannot be used; write a whole number, such as 0, 1 or 2
mistake-no_depth = "{ $value }" is not a number of turns
mistake-too_deep = write a depth from 0 to { $most }
mistake-no_grid = "{ $value }" is not a grid: write rows x columns, like 4x8, or auto
mistake-grid_size = "{ $value }": a board has from 2x2 to 12x16 pits
mistake-no_point = "{ $value }" is not a point: write x,y in pixels, like 412,96.5
mistake-no_time = "{ $value }" is not a time from 0 to 60 seconds

## The lamp panel, display and pins
mistake-no_pico = No Pico with MicroPython on USB (firmware/README.md). Is the panel's cable in? Some cables only charge.
mistake-port_busy = Something else uses { $place }. Is hisabu already running?
mistake-port_refused = You may not open { $place }: sudo usermod -aG dialout $USER, then log in again
mistake-port_empty = Nothing is connected at { $place }. Is the panel's cable in?
mistake-port_odd = { $what }. Is the panel's cable in?
mistake-port_failed = the port { $place } stopped answering
mistake-panel_went = The panel was disconnected: { $what }
mistake-panel_closed = the panel is closed
mistake-panel_silent = The panel does not answer. Put its program on it: `hisabu panel flash`
mistake-panel_wiring = The panel's program is for other wiring: `hisabu panel flash`
mistake-panel_other = The panel speaks version { $found }, the device { $wanted }: `hisabu panel flash`
mistake-picos = There are several Picos on USB: { $places }. Choose one with --port
mistake-display_needs = The display needs { $name }: sudo apt install python3-{ $package }
mistake-display_silent = The { $kind } display does not answer ({ $what }). Check its wires, and that { $bus } is on: `hisabu doctor`
mistake-pins_need = The pins need gpiozero. Run ./hisabu once with the network connected.
mistake-pins_none = No pins here. On a Raspberry Pi: sudo apt install python3-lgpio
mistake-pin_busy = Cannot use a pin: { $what }. Is another program using it?

## An installation
mistake-install_again = Fix this and run the same command again; nothing was damaged.
mistake-install_no_start = Everything is installed, but it does not start. `hisabu doctor` and `journalctl -u hisabu` say why.
mistake-install_no_user = { $path }: there is no user { $name }. { $error }
mistake-install_no_checkout = { $path } is not a checkout ({ $what } is missing). Run ./hisabu install in one.
mistake-install_itself = { $path } is the installed program. Run this in the new checkout.
mistake-install_failed = failed: { $what }. { $error }
mistake-install_no_file = { $path }: { $what } { $error }
mistake-install_no_pi = this is not Raspberry Pi OS: the camera library, pins and buses are left out
mistake-install_settings = { $path } exists: left as it is
mistake-install_later = on the machine itself, turn on the buses and services: raspi-config nonint do_i2c 0, do_spi 0
mistake-install_stay = { $settings }, { $state } and the user { $name } stay; --purge removes them too

## Many tables
mistake-hall_lacks = A hall also needs { $name }: pip install -e '.[hall]' in a checkout, or run ./hisabu hall there
mistake-not_a_broker = "{ $value }" is not a broker: write mqtt://host or mqtts://host
mistake-password_in_address = Do not put the password in the address. Name a file that holds it.
mistake-store_place = "{ $value }": name a file (SQLite), or postgresql://…
mistake-store_full = { $place } is not empty. Move the hall to an empty store.
mistake-store_away = The database does not answer: { $what }
mistake-store_refuses = The database refused to write: { $what }
mistake-hall_table_numbers = tables are numbered from 1 to { $most }
mistake-hall_codes_damaged = { $path } is damaged ({ $why }). Delete it, and give every table its new code.
mistake-hall_other_broker = { $path } already says who may use this broker. Remove that, or give the file another ending than .conf.
mistake-mosquitto_why = `journalctl -u mosquitto` says why.
mistake-hall_why = `journalctl -u hisabu-hall` says why.
mistake-from_a_package = a package already installed the program: { $path }
mistake-broker_code = that is not the code: a digit is wrong or missing
mistake-no_code_here = this table takes no code

## A backup
mistake-backup_none = this is not a file that Hisabu saved
mistake-backup_newer = a newer Hisabu saved this file; bring this one up to date first
mistake-backup_settings = this Hisabu does not understand a setting in this file: { $problem }. Nothing was changed. If a newer Hisabu saved the file, bring this one up to date first
mistake-backup_damaged = this file is damaged: { $name }. Nothing was changed
mistake-backup_foreign = { $name } does not belong in such a file. Nothing was changed
mistake-backup_large = this file is larger than anything Hisabu saves
mistake-backup_goes_on = a match is being played here; end it first
mistake-clip_name = There is no such line to record.
mistake-clip_long = This recording is longer than { $seconds } s. Say only the sentence.
mistake-clip_broken = This is no recording that I can play.
