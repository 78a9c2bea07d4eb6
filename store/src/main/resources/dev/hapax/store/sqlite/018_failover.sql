-- A file has no standby that could take over. The table is the one of the other database, and stays empty.
CREATE TABLE server (
  number INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  noted_at INTEGER NOT NULL,
  lost_since INTEGER
) STRICT;
