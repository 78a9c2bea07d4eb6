-- Where each schedule stands. The next nominal instant is stored, so that the commit that starts its run also moves it on:
-- version is the operation that wrote the row, and whoever expects another one writes nothing.
CREATE TABLE schedule (
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  flow TEXT NOT NULL,
  next_at INTEGER,
  last_at INTEGER,
  paused INTEGER NOT NULL,
  note TEXT,
  version INTEGER NOT NULL,
  CONSTRAINT schedule_one_row_per_name PRIMARY KEY (tenant, name),
  CONSTRAINT schedule_is_paused_or_not CHECK (paused IN (0, 1))
) STRICT, WITHOUT ROWID;
