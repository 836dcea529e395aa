"""The table on a message broker (MQTT): its log for a hall, its view for whoever follows, Home Assistant among them."""
