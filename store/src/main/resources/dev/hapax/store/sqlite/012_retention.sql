-- When an ended run may go. Appended in the order of time, one narrow entry per run: a commit of a hundred ends writes a
-- page or two of it.
ALTER TABLE run ADD COLUMN expires_at INTEGER;

UPDATE run SET expires_at = ended_at + 30 * 86400000 WHERE ended_at IS NOT NULL;

CREATE INDEX run_by_expiry ON run (expires_at) WHERE expires_at IS NOT NULL;

-- How long a flow's runs are kept after their end, in milliseconds; 30 days if it is not here.
CREATE TABLE retention (
  flow TEXT NOT NULL PRIMARY KEY,
  keep INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- What is left of a run whose retention is over: "already done, expired". By number, like the run: run_key goes on
-- leading here, so that no page of that random index is touched when a run goes.
CREATE TABLE expired_run (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL,
  tenant TEXT NOT NULL,
  status TEXT NOT NULL,
  ended_at INTEGER NOT NULL,
  until INTEGER NOT NULL,
  -- 1 if the journal was too long to go in the same commit.
  journal_left INTEGER NOT NULL
) STRICT;

CREATE INDEX expired_run_by_until ON expired_run (until);
CREATE INDEX expired_run_with_journal ON expired_run (number) WHERE journal_left = 1;

-- Runs whose key a person has given free, when and why.
CREATE TABLE forgotten (
  run INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  reason TEXT NOT NULL
) STRICT;

-- A run under a key that had one before. Starts find it through what is left of its predecessor, which therefore stays.
CREATE TABLE succession (
  run INTEGER PRIMARY KEY,
  predecessor INTEGER NOT NULL,
  -- 1 if the key came again after its retention: then expired effects are sent again.
  renews INTEGER NOT NULL
) STRICT;

CREATE INDEX succession_by_predecessor ON succession (predecessor);

INSERT INTO meta (name, value) VALUES ('runs_expired', 0), ('tombstones_ended', 0);
