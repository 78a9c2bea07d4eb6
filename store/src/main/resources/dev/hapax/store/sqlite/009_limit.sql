-- Who holds a slot of a concurrency limit, or a lock. A row belongs to a run and not to a process, and goes with the run's
-- end: a crash leaks none. The key makes it impossible that two runs have the same slot. Only runs that are under way are
-- here, so the table stays small, and the hashes of its key cost no pages as they would in run_key.
-- "limit" and "release" are the same in all rows of a subject: the newest release that has come to it counts.
CREATE TABLE hold (
  subject BLOB NOT NULL,
  slot INTEGER NOT NULL,
  run INTEGER NOT NULL,
  place INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  flow TEXT,
  key TEXT,
  step TEXT,
  item TEXT,
  "limit" INTEGER NOT NULL,
  release INTEGER NOT NULL,
  since INTEGER NOT NULL,
  CONSTRAINT hold_one_run_per_slot PRIMARY KEY (subject, slot),
  CONSTRAINT hold_subject_has_16_bytes CHECK (length(subject) = 16),
  CONSTRAINT hold_slot_starts_at_one CHECK (slot >= 1)
) STRICT, WITHOUT ROWID;

-- What a run that ends has to give back.
CREATE INDEX hold_by_run ON hold (run);

-- Who waits for a slot or a lock, in order of arrival.
CREATE TABLE line (
  subject BLOB NOT NULL,
  place INTEGER NOT NULL,
  run INTEGER NOT NULL,
  tenant TEXT NOT NULL,
  flow TEXT,
  key TEXT,
  step TEXT,
  item TEXT,
  "limit" INTEGER NOT NULL,
  release INTEGER NOT NULL,
  since INTEGER NOT NULL,
  CONSTRAINT line_in_order_of_arrival PRIMARY KEY (subject, place, run),
  CONSTRAINT line_subject_has_16_bytes CHECK (length(subject) = 16)
) STRICT, WITHOUT ROWID;

CREATE INDEX line_by_run ON line (run);

-- The gate that a run passes, so that its retry passes it again; and whether it holds or awaits something (1) or is queued
-- before its gate (2). A run that nothing limits has NULL in both and is asked nothing more.
ALTER TABLE run ADD COLUMN gate TEXT;
ALTER TABLE run ADD COLUMN holds INTEGER;

-- The last fencing number of a lock. One for the whole store: it only grows for each key, and no key leaves a row behind.
INSERT INTO meta (name, value) VALUES ('fence', 0);
