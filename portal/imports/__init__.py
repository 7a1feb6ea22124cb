"""Imports: a file is read row by row, a form checks each row, and good rows are written in batches."""
