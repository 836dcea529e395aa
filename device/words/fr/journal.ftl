journal-torn = { $file } : le courant a été coupé pendant la dernière ligne. Personne ne l'avait vue. La partie reprend après l'événement { $event }.
journal-damaged = { $file } est abîmé ({ $what }). La partie reprend après l'événement { $event }. L'ancien fichier s'appelle maintenant { $aside } ; lignes perdues : { $lines }.
journal-unreadable = { $file } ne peut pas être lu ({ $what }). Il reste tel quel, et une nouvelle partie commence. Hisabu est-il à jour ?
journal-header = La première ligne de { $file } était perdue ; sa copie a servi. La partie continue. L'ancien fichier s'appelle maintenant { $aside }.
