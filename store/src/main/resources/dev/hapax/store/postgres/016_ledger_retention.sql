-- When a ledger row is looked at again. NULL while a run refers to it: that run brings it up when it goes. So only rows
-- that outlive their runs are in the index, and a run that is under way writes nothing for it.
ALTER TABLE effect ADD COLUMN expires_at bigint;

CREATE INDEX effect_by_expiry ON effect (expires_at) WHERE expires_at IS NOT NULL;

-- Runs that refer to an effect beside the one that owns it, which its row names: who reused it, waits for it, or owned an
-- earlier revision.
CREATE TABLE effect_reference (
  effect bigint NOT NULL,
  run bigint NOT NULL,
  CONSTRAINT effect_reference_once PRIMARY KEY (effect, run)
);

-- Which flows share an effect's name. The longest retention of them counts; at_least is the longest other time, in
-- milliseconds, that the flow's effects of this name must be remembered for.
CREATE TABLE effect_use (
  name text COLLATE "C" NOT NULL,
  flow text COLLATE "C" NOT NULL,
  at_least bigint NOT NULL,
  CONSTRAINT effect_use_one_per_name_and_flow PRIMARY KEY (name, flow)
);

-- What is left of a ledger row whose life is over. A hash is in effect or here, never in both; a claim that makes
-- the next revision puts its row back in this place.
CREATE TABLE expired_effect (
  number bigint PRIMARY KEY,
  hash bytea NOT NULL,
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  version bigint,
  external_id text COLLATE "C",
  until bigint NOT NULL,
  CONSTRAINT expired_effect_was_settled CHECK (state IN ('done', 'failed', 'abandoned', 'undone'))
);

CREATE UNIQUE INDEX expired_effect_one_per_key ON expired_effect (hash);
CREATE INDEX expired_effect_by_until ON expired_effect (until);

-- How long the revision that some work made of an update is remembered: NULL while a run of that work is there.
ALTER TABLE revision ADD COLUMN until bigint;

CREATE INDEX revision_by_until ON revision (until) WHERE until IS NOT NULL;

INSERT INTO meta (name, value) VALUES ('effects_expired', 0), ('effect_tombstones_ended', 0);
