live-resumed = La partie continue. Événements gardés : { $events }.
live-resumed_as_it_was = La dernière partie continue avec ses règles. Événements gardés : { $events }. Pour les nouveaux réglages : menu, nouvelle partie.
live-finished = La partie précédente est finie et enregistrée (événements : { $events }). Une nouvelle commence.
live-not_recorded = Pas d'enregistrement : { $why }
live-no_more_recorded = L'enregistrement s'est arrêté : { $why }
live-in_use = Un autre hisabu est en marche et utilise { $folder }. Arrêtez-le d'abord (Ctrl-C, ou sudo systemctl stop hisabu), ou donnez un autre dossier : matches = "…" dans un fichier pour --settings.
live-part_failed = Une panne à l'intérieur ; voyez les lignes ci-dessus. { $kept } Le prochain hisabu run continue la partie. Si cela revient : hisabu run --record DOSSIER, et signalez-le avec ce dossier.
live-page = Page pour les téléphones : { $address }
live-service_failed = Une panne à l'intérieur ; voyez les lignes ci-dessus. { $kept } L'appareil redémarre dans quelques secondes et continue la partie. Si cela revient souvent : sudo hisabu setup --record /var/lib/hisabu/recordings, sudo systemctl restart hisabu, et signalez-le avec le dossier le plus récent et journalctl -u hisabu.
live-service_stopped = Arrêté comme demandé. systemd écrit « failed » à cause d'une panne précédente (voyez « brain failed » plus haut). { $kept } sudo systemctl start hisabu continue la partie. Si cela revient : sudo hisabu setup --record /var/lib/hisabu/recordings, et signalez-le avec le dossier le plus récent.
live-all_kept = Rien n'est perdu.
live-not_all_kept = Tout ce qui précède la panne de la carte mémoire est gardé.
