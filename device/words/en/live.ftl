live-resumed = The match goes on. Events kept: { $events }.
live-resumed_as_it_was = The last match goes on by its own rules. Events kept: { $events }. To use the new settings: menu, new match.
live-finished = The last match is closed and kept. A new one begins. Events kept: { $events }.
live-not_recorded = Recording is off: { $why }
live-no_more_recorded = Recording stopped: { $why }
live-in_use = Another hisabu is running and uses { $folder }. Stop it first (Ctrl-C, or sudo systemctl stop hisabu), or set another folder: matches = "…" in a file for --settings.
live-part_failed = Something failed inside; see the lines above. { $kept } The next hisabu run continues the match. If it happens again: hisabu run --record FOLDER, and report it with that folder.
live-page = Page for phones: { $address }
live-service_failed = Something failed inside; see the lines above. { $kept } The device restarts in a few seconds and continues the match. If it keeps happening: sudo hisabu setup --record /var/lib/hisabu/recordings, sudo systemctl restart hisabu, and report it with the newest folder there and journalctl -u hisabu.
live-service_stopped = Stopped as asked. systemd says failed because something failed earlier (see "brain failed" above). { $kept } sudo systemctl start hisabu continues the match. If it happens again: sudo hisabu setup --record /var/lib/hisabu/recordings, and report it with the newest folder there.
live-all_kept = Nothing is lost.
live-not_all_kept = Everything up to the memory card's failure is kept.
