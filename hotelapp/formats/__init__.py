"""How the pages of Staff write values, by language, for Django."""
