-- The ledger: one row per effect key, in order of creation, for the same reason as run.
CREATE TABLE effect (
  number INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  name TEXT NOT NULL,
  key TEXT NOT NULL,
  additive_run BLOB,
  kind TEXT NOT NULL,
  guard TEXT NOT NULL,
  state TEXT NOT NULL,
  revision INTEGER NOT NULL,
  run INTEGER NOT NULL,
  step TEXT NOT NULL,
  item TEXT,
  attempts INTEGER NOT NULL,
  fingerprint BLOB,
  request TEXT,
  version INTEGER,
  result TEXT,
  external_id TEXT,
  first_sent_at INTEGER,
  reused_by INTEGER,
  evidence TEXT,
  CONSTRAINT effect_additive_run_has_16_bytes CHECK (additive_run IS NULL OR length(additive_run) = 16),
  CONSTRAINT effect_fingerprint_has_32_bytes CHECK (fingerprint IS NULL OR length(fingerprint) = 32),
  CONSTRAINT effect_revision_starts_at_one CHECK (revision >= 1)
) STRICT;

-- Which effect has a key, by EffectKey.hash(); filled later and in order, like run_key.
CREATE TABLE effect_key (
  hash BLOB NOT NULL,
  number INTEGER NOT NULL,
  CONSTRAINT effect_key_one_effect_per_key PRIMARY KEY (hash)
) STRICT, WITHOUT ROWID;

-- People ask for doubts, reviews and failures. Partial, so that an effect that goes well never enters it.
CREATE INDEX effect_by_state ON effect (state, number) WHERE state NOT IN ('pending', 'done');

-- The revisions of updates that were done, by the work that made them: a rerun of old work finds its own result.
CREATE TABLE revision (
  effect INTEGER NOT NULL,
  origin TEXT NOT NULL,
  revision INTEGER NOT NULL,
  fingerprint BLOB,
  result TEXT,
  run INTEGER NOT NULL,
  CONSTRAINT revision_one_per_effect_and_origin PRIMARY KEY (effect, origin)
) STRICT, WITHOUT ROWID;

-- Runs that wait for another run's effect. Written in the commit that reads the effect, deleted in the one that settles
-- it, so no wake-up is lost.
CREATE TABLE waiter (
  effect INTEGER NOT NULL,
  run INTEGER NOT NULL,
  CONSTRAINT waiter_once_per_effect_and_run PRIMARY KEY (effect, run)
) STRICT, WITHOUT ROWID;
