"""The production server: ``python -m hotelapp.serving``. gunicorn supervises processes, and waitress serves in each."""
