"""The words of the table, a file a language."""
