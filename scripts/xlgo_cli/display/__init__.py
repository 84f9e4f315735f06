"""What every page, table and message shows alike: names, numbers, tables, sentences."""
