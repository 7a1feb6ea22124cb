"""Times as other pages write them, in the zone of the settings."""

DATETIME_FORMAT = r"j M Y, H:i \U\T\C"
