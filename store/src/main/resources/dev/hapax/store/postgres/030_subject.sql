-- Requests to erase what is stored about a person, for good: a backup that is restored loses the same values again.
-- subject is a hash of tenant and id in hex. Few rows, read as a whole; ended_at is null while something is left to erase.
CREATE TABLE subject_erasure (
  number bigint PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  subject text COLLATE "C" NOT NULL,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL,
  external_ids bigint NOT NULL,
  scans bigint NOT NULL,
  ended_at bigint,
  runs bigint NOT NULL,
  CONSTRAINT subject_erasure_subject_is_a_hash CHECK (length(subject) = 64)
);
