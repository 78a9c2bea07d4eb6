-- Who holds a slot of a concurrency limit, or a lock. A row belongs to a run and not to a process, and goes with the run's
-- end: a crash leaks none. The key makes it impossible that two runs have the same slot. Only runs that are under way are
-- here, so the table stays small.
-- "limit" and "release" are the same in all rows of a subject: the newest release that has come to it counts.
CREATE TABLE hold (
  subject bytea NOT NULL,
  slot bigint NOT NULL,
  run bigint NOT NULL,
  place bigint NOT NULL,
  fence bigint NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  flow text COLLATE "C",
  key text COLLATE "C",
  step text COLLATE "C",
  item text COLLATE "C",
  "limit" bigint NOT NULL,
  release bigint NOT NULL,
  since bigint NOT NULL,
  CONSTRAINT hold_one_run_per_slot PRIMARY KEY (subject, slot),
  CONSTRAINT hold_subject_has_16_bytes CHECK (length(subject) = 16),
  CONSTRAINT hold_slot_starts_at_one CHECK (slot >= 1)
);

-- What a run that ends has to give back.
CREATE INDEX hold_by_run ON hold (run);

-- Who waits for a slot or a lock, in order of arrival.
CREATE TABLE line (
  subject bytea NOT NULL,
  place bigint NOT NULL,
  run bigint NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  flow text COLLATE "C",
  key text COLLATE "C",
  step text COLLATE "C",
  item text COLLATE "C",
  "limit" bigint NOT NULL,
  release bigint NOT NULL,
  since bigint NOT NULL,
  CONSTRAINT line_in_order_of_arrival PRIMARY KEY (subject, place, run),
  CONSTRAINT line_subject_has_16_bytes CHECK (length(subject) = 16)
);

CREATE INDEX line_by_run ON line (run);

-- The gate that a run passes, so that its retry passes it again; and whether it holds or awaits something (1) or is queued
-- before its gate (2). A run that nothing limits has NULL in both and is asked nothing more.
ALTER TABLE run ADD COLUMN gate text COLLATE "C";
ALTER TABLE run ADD COLUMN holds bigint;

-- The last fencing number of a lock. One for the whole store: it only grows for each key, and no key leaves a row behind.
INSERT INTO meta (name, value) VALUES ('fence', 0);
