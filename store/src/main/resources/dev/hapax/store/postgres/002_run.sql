-- One row per run, in order of creation: new rows lie together at the end, so a commit of a hundred runs writes a few
-- pages.
CREATE TABLE run (
  number bigint PRIMARY KEY,
  id bytea NOT NULL,
  tenant text COLLATE "C" NOT NULL,
  flow text COLLATE "C" NOT NULL,
  release bigint NOT NULL,
  key text COLLATE "C" NOT NULL,
  status text COLLATE "C" NOT NULL,
  fingerprints bytea NOT NULL,
  input text COLLATE "C" NOT NULL,
  output text COLLATE "C",
  error text COLLATE "C",
  owner bigint,
  due_at bigint,
  timeout_at bigint,
  cancel text COLLATE "C",
  created_at bigint NOT NULL,
  ended_at bigint,
  CONSTRAINT run_id_has_16_bytes CHECK (length(id) = 16),
  CONSTRAINT run_fingerprints_have_32_bytes_each CHECK (length(fingerprints) >= 32 AND length(fingerprints) % 32 = 0),
  CONSTRAINT run_that_ended_is_in_no_memory CHECK (ended_at IS NULL OR owner IS NULL),
  CONSTRAINT run_that_ended_is_not_due CHECK (ended_at IS NULL OR due_at IS NULL)
);

-- Which run has an id. Ids are hashes: the one random index of this table, and narrow.
CREATE UNIQUE INDEX run_one_per_id ON run (id);

-- The indexes are partial: a run that starts and succeeds in memory passes through none of them but the first.
-- Recovery asks who was in memory.
CREATE INDEX run_by_owner ON run (owner) WHERE owner IS NOT NULL;

-- The timer asks what is due next.
CREATE INDEX run_by_due ON run (due_at) WHERE due_at IS NOT NULL;

-- People ask for what failed or waits. What runs is found by its owner; what succeeded is nearly everything.
CREATE INDEX run_by_status ON run (status, number) WHERE status NOT IN ('running', 'succeeded');

-- Starts that were stopped because the run was there. A narrow table of its own, so that counting never rewrites a run's
-- row; op is the group that counted last, so that a batch that is sent again counts once.
CREATE TABLE duplicate (
  run bigint PRIMARY KEY,
  count bigint NOT NULL,
  op bigint NOT NULL,
  CONSTRAINT duplicate_counts_up CHECK (count > 0)
);
