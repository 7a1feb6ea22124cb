"""The production server: ``python -m hotelapp.serving``. gunicorn with threads."""
