camera-ribbon = Vérifiez les deux bouts du câble plat de la caméra. Éteignez avant d'y toucher.{ camera-more }
camera-plug = Est-elle branchée ?{ camera-more }
camera-more = { $more ->
    [yes] { " " }`hisabu doctor` en montre plus.
   *[no] { "" }
}
camera-no_picamera2 = picamera2 n'est pas installé : `sudo apt install python3-picamera2`, ou bien camera = "usb:0" dans les réglages.
camera-picamera2_misfit = picamera2 ne va pas avec le NumPy installé : { $error }
camera-picamera2_old = picamera2 { $version } se bloque quand le câble plat est débranché. Passez à { $wanted } : `sudo apt update && sudo apt full-upgrade`.
camera-pi_none = Aucune caméra ne répond. { camera-ribbon }
camera-pi_busy = La caméra { $name } ne s'ouvre pas ; un autre programme s'en sert-il ? { camera-ribbon }
camera-pi_no_start = La caméra { $name } ne démarre pas : { $error }. { camera-ribbon }
camera-pi_stuck_opening = La caméra { $name } n'a pas pu s'ouvrir ({ $error }). Relancez le programme. { camera-ribbon }
camera-pi_silent = La caméra ne donne plus d'images. { camera-ribbon }
camera-pi_broken = La caméra donne des images abîmées : { $error }. { camera-ribbon }
camera-pi_hangs = Le pilote de la caméra ne répond plus. { camera-ribbon }
camera-usb_none = La { $name } ne répond pas.{ $others } { camera-plug }
camera-usb_others = {" "}Il y a { $names }.
camera-usb_refused = Vous ne pouvez pas ouvrir la { $name } : `sudo adduser $USER video`, puis rouvrez la session.
camera-usb_busy = La { $name } ne s'ouvre pas. Un autre programme s'en sert-il ?{ $others }
camera-usb_silent = La { $name } ne donne plus d'images. { camera-plug }
camera-usb_name = caméra USB { $number }
camera-file_none = { $path } : il n'y a ni dossier ni film de ce nom.
camera-file_odd = { $path } : ce n'est ni un dossier d'images ni un film.
camera-file_refused = { $path } : vous ne pouvez pas lire ce fichier.
camera-file_bad = { $path } : ce n'est ni un dossier d'images ni un film qui s'ouvre.
camera-recording_damaged = { $path } : l'enregistrement est abîmé ; une de ses images ne peut pas être lue
camera-net_none = Rien ne répond à { $address }. L'application caméra du téléphone est-elle lancée, dans le même réseau ?
camera-net_password = { $address } demande un nom et un mot de passe : écrivez http://nom:motdepasse@… devant l'adresse.
camera-net_not_found = { $address } répond, mais sans image. L'application caméra affiche la bonne adresse.
camera-net_error = { $address } répond par l'erreur { $status }. Relancez l'application caméra du téléphone.
camera-net_page = { $address } est une page web, pas une image. Ouvrez-la : elle donne l'adresse de la vidéo.
camera-net_odd = { $address } envoie autre chose qu'une image.
camera-net_certificate = Le certificat de { $address } n'est pas sûr. Prenez http:// dans votre réseau.
camera-net_silent = { $address } ne donne plus d'images. Le téléphone est-il encore allumé et sur le réseau ?
