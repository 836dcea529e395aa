camera-ribbon = Check both ends of the ribbon cable. Switch off before you touch it.{ camera-more }
camera-plug = Is it plugged in?{ camera-more }
camera-more = { $more ->
    [yes] { " " }`hisabu doctor` shows more.
   *[no] { "" }
}
camera-no_picamera2 = picamera2 is not installed: `sudo apt install python3-picamera2`, or set camera = "usb:0".
camera-picamera2_misfit = picamera2 does not fit the NumPy that is installed: { $error }
camera-picamera2_old = picamera2 { $version } hangs when the ribbon cable is pulled. Update to { $wanted }: `sudo apt update && sudo apt full-upgrade`.
camera-pi_none = No camera answers. { camera-ribbon }
camera-pi_busy = Cannot open the camera { $name }. Is another program using it? { camera-ribbon }
camera-pi_no_start = The camera { $name } does not start: { $error }. { camera-ribbon }
camera-pi_stuck_opening = The camera { $name } failed while opening ({ $error }). Restart the program. { camera-ribbon }
camera-pi_silent = The camera stopped sending pictures. { camera-ribbon }
camera-pi_broken = The camera sends broken pictures: { $error }. { camera-ribbon }
camera-pi_hangs = The camera's driver hangs. { camera-ribbon }
camera-usb_none = The { $name } does not answer.{ $others } { camera-plug }
camera-usb_others = {" "}There is { $names }.
camera-usb_refused = You may not open the { $name }: `sudo adduser $USER video`, then log in again.
camera-usb_busy = Cannot open the { $name }. Is another program using it?{ $others }
camera-usb_silent = The { $name } stopped sending pictures. { camera-plug }
camera-usb_name = USB camera { $number }
camera-file_none = { $path }: there is no such folder or film.
camera-file_odd = { $path }: neither a folder of pictures nor a film.
camera-file_refused = { $path }: you may not read this file.
camera-file_bad = { $path }: not a folder of pictures, and not a film that opens.
camera-recording_damaged = { $path }: the recording is damaged; one of its pictures cannot be read
camera-net_none = Nothing answers at { $address }. Is the phone's camera app running, on the same network?
camera-net_password = { $address } needs a user and a password: write http://user:password@… before the address.
camera-net_not_found = { $address } answers, but without a picture. The camera app shows the right address.
camera-net_error = { $address } answers with error { $status }. Restart the phone's camera app.
camera-net_page = { $address } is a web page, not a picture. Open it: it gives the address of the video.
camera-net_odd = { $address } sends something that is not a picture.
camera-net_certificate = I cannot trust the certificate of { $address }. Use http:// in your own network.
camera-net_silent = { $address } stopped sending pictures. Is the phone still awake and on the network?
