"""The page: the table on every phone in the room. An output like the others, and a place where requests come from."""
