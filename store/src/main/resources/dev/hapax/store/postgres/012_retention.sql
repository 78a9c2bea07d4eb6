-- When an ended run may go. Appended in the order of time, one narrow entry per run: a commit of a hundred ends writes a
-- page or two of it.
ALTER TABLE run ADD COLUMN expires_at bigint;

CREATE INDEX run_by_expiry ON run (expires_at) WHERE expires_at IS NOT NULL;

-- How long a flow's runs are kept after their end, in milliseconds; 30 days if it is not here.
CREATE TABLE retention (
  flow text COLLATE "C" NOT NULL PRIMARY KEY,
  keep bigint NOT NULL
);

-- What is left of a run whose retention is over: "already done, expired". An id is in run or here, never in both; see
-- PostgresKeyIndex.
CREATE TABLE expired_run (
  number bigint PRIMARY KEY,
  id bytea NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  ended_at bigint NOT NULL,
  until bigint NOT NULL,
  -- 1 if the journal was too long to go in the same commit.
  journal_left bigint NOT NULL
);

CREATE UNIQUE INDEX expired_run_one_per_id ON expired_run (id);
CREATE INDEX expired_run_by_until ON expired_run (until);
CREATE INDEX expired_run_with_journal ON expired_run (number) WHERE journal_left = 1;

-- Runs whose key a person has given free, when and why.
CREATE TABLE forgotten (
  run bigint PRIMARY KEY,
  at bigint NOT NULL,
  actor text COLLATE "C" NOT NULL,
  reason text COLLATE "C" NOT NULL
);

-- A run under a key that had one before. Starts find it through what is left of its predecessor, which therefore stays.
CREATE TABLE succession (
  run bigint PRIMARY KEY,
  predecessor bigint NOT NULL,
  -- 1 if the key came again after its retention: then expired effects are sent again.
  renews bigint NOT NULL
);

CREATE INDEX succession_by_predecessor ON succession (predecessor);

INSERT INTO meta (name, value) VALUES ('runs_expired', 0), ('tombstones_ended', 0);
