"""The second factor: an authenticator app and backup codes, with their pages."""
