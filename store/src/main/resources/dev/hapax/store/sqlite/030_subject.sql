-- Requests to erase what is stored about a person, for good: a backup that is restored loses the same values again.
-- subject is a hash of tenant and id in hex. Few rows, read as a whole; ended_at is null while something is left to erase.
CREATE TABLE subject_erasure (
  number INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  subject TEXT NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL,
  external_ids INTEGER NOT NULL,
  scans INTEGER NOT NULL,
  ended_at INTEGER,
  runs INTEGER NOT NULL,
  CONSTRAINT subject_erasure_subject_is_a_hash CHECK (length(subject) = 64)
) STRICT;
