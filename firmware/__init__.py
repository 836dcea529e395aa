"""The lamp panel and the protocol both ends share."""
