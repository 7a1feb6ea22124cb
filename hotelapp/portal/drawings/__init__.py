"""Pictures of what planners and requests really do, drawn as SVG: on pages, and by ``manage.py draw`` for documents."""
