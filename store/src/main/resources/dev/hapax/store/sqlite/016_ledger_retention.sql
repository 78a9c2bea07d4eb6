-- When a ledger row is looked at again. NULL while a run refers to it: that run brings it up when it goes. So only rows
-- that outlive their runs are in the index, and a run that is under way writes nothing for it.
ALTER TABLE effect ADD COLUMN expires_at INTEGER;

CREATE INDEX effect_by_expiry ON effect (expires_at) WHERE expires_at IS NOT NULL;

-- The rows of runs that went before there was this.
UPDATE effect SET expires_at = 0 WHERE NOT EXISTS (SELECT 1 FROM run WHERE run.number = effect.run);

-- Runs that refer to an effect beside the one that owns it, which its row names: who reused it, waits for it, or owned an
-- earlier revision.
CREATE TABLE effect_reference (
  effect INTEGER NOT NULL,
  run INTEGER NOT NULL,
  CONSTRAINT effect_reference_once PRIMARY KEY (effect, run)
) STRICT, WITHOUT ROWID;

-- Which flows share an effect's name. The longest retention of them counts; at_least is the longest other time, in
-- milliseconds, that the flow's effects of this name must be remembered for.
CREATE TABLE effect_use (
  name TEXT NOT NULL,
  flow TEXT NOT NULL,
  at_least INTEGER NOT NULL,
  CONSTRAINT effect_use_one_per_name_and_flow PRIMARY KEY (name, flow)
) STRICT, WITHOUT ROWID;

INSERT INTO effect_use (name, flow, at_least) SELECT DISTINCT effect.name, run.flow, 86400000
FROM effect JOIN run ON run.number = effect.run;

-- What is left of a ledger row whose life is over. By number, like the row: effect_key goes on leading here, and a claim
-- that makes the next revision puts its row back in this place.
CREATE TABLE expired_effect (
  number INTEGER PRIMARY KEY,
  hash BLOB NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  revision INTEGER NOT NULL,
  version INTEGER,
  external_id TEXT,
  until INTEGER NOT NULL,
  CONSTRAINT expired_effect_was_settled CHECK (state IN ('done', 'failed', 'abandoned', 'undone'))
) STRICT;

CREATE INDEX expired_effect_by_until ON expired_effect (until);

-- How long the revision that some work made of an update is remembered: NULL while a run of that work is there.
ALTER TABLE revision ADD COLUMN until INTEGER;

CREATE INDEX revision_by_until ON revision (until) WHERE until IS NOT NULL;

INSERT INTO meta (name, value) VALUES ('effects_expired', 0), ('effect_tombstones_ended', 0);
