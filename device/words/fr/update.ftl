# Ce qu'a donné une mise à jour, comme le dit Maison → Cet appareil.
update-updated = Mis à jour : { $version }
update-went_back = { $version } n'a pas démarré ici. L'ancienne version tourne à nouveau.
update-went_back_cut = Le courant a manqué pendant l'installation de { $version }. L'ancienne version tourne à nouveau.
update-unclear = On ne peut plus lire ce qu'a donné la dernière mise à jour. { $version } tourne maintenant.
update-no_key = Cet appareil ne connaît pas de clé pour vérifier une version plus récente. Installez-la avec apt.
update-nothing = Aucune version pour cet appareil n'a été trouvée.
update-not_signed = Ce qui a été trouvé n'est pas signé par les auteurs. Rien n'a été installé.
update-damaged = Le fichier de la nouvelle version est abîmé. Rien n'a été installé.
update-not_newer = Il n'y a pas de version plus récente.
update-no_room = Il n'y a pas assez de place sur le disque pour une version plus récente.
update-no_way_back = Le retour en arrière n'a pas pu être préparé ; rien n'a été installé.
update-lost = Ni la nouvelle ni l'ancienne version n'ont pu être installées. Installez-en une avec apt.
update-away = L'adresse des versions ne répond pas. L'appareil est-il sur internet ?
