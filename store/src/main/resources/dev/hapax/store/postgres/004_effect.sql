-- The ledger: one row per effect key, in order of creation, for the same reason as run.
CREATE TABLE effect (
  number bigint PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  additive_run bytea,
  kind text COLLATE "C" NOT NULL,
  guard text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  run bigint NOT NULL,
  step text COLLATE "C" NOT NULL,
  item text COLLATE "C",
  attempts bigint NOT NULL,
  fingerprint bytea,
  request text COLLATE "C",
  version bigint,
  result text COLLATE "C",
  external_id text COLLATE "C",
  first_sent_at bigint,
  reused_by bigint,
  evidence text COLLATE "C",
  hash bytea NOT NULL,
  -- An effect that goes well has NULL all its life, so that settling it touches no index.
  unusual text COLLATE "C" GENERATED ALWAYS AS (CASE WHEN state NOT IN ('pending', 'done') THEN state END) STORED,
  CONSTRAINT effect_additive_run_has_16_bytes CHECK (additive_run IS NULL OR length(additive_run) = 16),
  CONSTRAINT effect_fingerprint_has_32_bytes CHECK (fingerprint IS NULL OR length(fingerprint) = 32),
  CONSTRAINT effect_revision_starts_at_one CHECK (revision >= 1)
) WITH (fillfactor = 60); -- most rows change once, soon after they are made, and find room in their page

-- Which effect has a key, by EffectKey.hash().
CREATE UNIQUE INDEX effect_one_per_key ON effect (hash);

-- People ask for doubts, reviews and failures. Partial, so that an effect that goes well never enters it.
CREATE INDEX effect_by_state ON effect (unusual, number) WHERE unusual IS NOT NULL;

-- The revisions of updates that were done, by the work that made them: a rerun of old work finds its own result.
CREATE TABLE revision (
  effect bigint NOT NULL,
  origin text COLLATE "C" NOT NULL,
  revision bigint NOT NULL,
  fingerprint bytea,
  result text COLLATE "C",
  run bigint NOT NULL,
  CONSTRAINT revision_one_per_effect_and_origin PRIMARY KEY (effect, origin)
);

-- Runs that wait for another run's effect. Written in the commit that reads the effect, deleted in the one that settles
-- it, so no wake-up is lost.
CREATE TABLE waiter (
  effect bigint NOT NULL,
  run bigint NOT NULL,
  CONSTRAINT waiter_once_per_effect_and_run PRIMARY KEY (effect, run)
);
