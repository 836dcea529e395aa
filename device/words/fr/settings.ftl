settings-value = { $key } = { $value } ne va pas. Permis : { $allowed }
settings-display = display = { $value } : avec build = { $build }, choisissez parmi { $allowed }
settings-players = players = { $value } : avec game = { $game } et ces règles, choisissez parmi { $allowed }
settings-seats = device_seat = { $value } : avec game = { $game }, choisissez une place de 1 à { $most }, ou 0 pour aucune
settings-seat_of_game = device_seat = { $value } : nommez aussi le jeu, par exemple --game belote : l'appareil ne peut pas demander de carte avant de savoir à quoi l'on joue
settings-no_seat = device_seat = { $value } : les places sont pour les cartes. À { $game } : --against NIVEAU
settings-angles = seats_deg = { $value } : donnez { $players } angles, un par joueur
settings-angles_apart = seats_deg = { $value } : deux joueurs ne peuvent pas être à la même place. Laissez au moins { $least } degrés entre eux
settings-no_key = la clé { $key } n'existe pas ; { $hint }
settings-no_game = le jeu { $key } n'existe pas ; { $hint }
settings-no_option = la règle { $key } n'existe pas ; { $hint }
settings-options = options = { $value } : écrivez une section pour chaque jeu, comme [options.turufu]
settings-house = { $key } = { $value } : écrivez une section, [{ $key }]
settings-hint_near = vouliez-vous dire { $near } ?
settings-hint_known = choisissez parmi { $known }
settings-hint_below = écrivez cela sous [options.{ $game }]
settings-no_text = ce n'est pas du texte (octet { $byte })
settings-no_toml = ce n'est pas du TOML
settings-no_toml_at = ce n'est pas du TOML : voyez la ligne { $line }, colonne { $column }
settings-nested = ce n'est pas du TOML : trop de listes ou de tables imbriquées
settings-allowed_values = { $values }
settings-allowed_from_to = { $low } à { $high }
settings-allowed_whole = un nombre entier de { $low } à { $high }
settings-allowed_fraction = un nombre de { $low } à 1
settings-allowed_names = une liste d'au plus { $most } noms de 1 à { $letters } lettres, toutes visibles
settings-allowed_numbers = une liste de { $most } nombres de { $low } à { $high }
settings-allowed_corners = quatre points de l'image, dans le sens des aiguilles d'une montre (huit nombres de 0 à 1), ou aucun
settings-allowed_numbers_at_most = une liste d'au plus { $most } nombres de { $low } à { $high }
settings-allowed_size = "LARGEURxHAUTEUR", deux nombres pairs de { $low } à { $high }
settings-allowed_path = un chemin complet
settings-allowed_path_or_none = un chemin complet, ou "" pour aucun
settings-allowed_panel = "auto", "none" (aucun), un chemin complet, une adresse comme socket://…
settings-allowed_camera = "pi", "usb:0" ("usb:1" …), "http://…" ou "rtsp://…", "simulated" (table dessinée), un chemin complet
settings-allowed_broker = mqtt://machine, mqtts://machine:port, ou "" pour aucun
settings-allowed_line = au plus { $longest } lettres, sans espace
settings-allowed_table = au plus 32 lettres minuscules, chiffres, - et _
settings-file_allowed = Permis : { $allowed }. Par défaut : { $default }
settings-file_head = Réglages de Hisabu, lus au démarrage. `hisabu setup` les demande ; le menu de l'appareil peut en changer certains.
settings-file_anew = Les deux récrivent ce fichier sans vos commentaires. Une clé absente ou derrière un # a sa valeur par défaut.
settings-allowed_command_or_none = une commande, ou "" pour aucune
