"""What the pages share (the table's in device/outputs/page, the hall's): server, pairing, files. No game here."""
