"""What of the package needs Django: settings, commands, and what apps declare for others."""
