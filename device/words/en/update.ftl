# What came of an update, as House → About says it.
update-updated = Brought up to date: { $version }
update-went_back = { $version } did not start here. The old version runs again.
update-went_back_cut = The power went while { $version } was being installed. The old version runs again.
update-unclear = What became of the last update cannot be read any more. { $version } runs now.
update-no_key = This device knows no key to check a newer version with. Install it with apt.
update-nothing = No version for this device was found.
update-not_signed = What was found is not signed by the makers. It was not installed.
update-damaged = The file of the newer version is damaged. It was not installed.
update-not_newer = There is no newer version.
update-no_room = There is not enough room on the disk for a newer version.
update-no_way_back = The way back could not be prepared, so nothing was installed.
update-lost = Neither the new nor the old version could be installed. Install one with apt.
update-away = The address of the releases does not answer. Is the device on the internet?
