"""Pictures of what planners and requests really do, drawn as SVG: on pages, and by ``explain --svg`` for documents."""
