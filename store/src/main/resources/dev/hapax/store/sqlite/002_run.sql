-- One row per run, in order of creation: new rows lie together at the end, so a commit of a hundred runs writes a few
-- pages. INTEGER PRIMARY KEY, exactly so written, makes the number the row's own place; BIGINT would add an index.
CREATE TABLE run (
  number INTEGER PRIMARY KEY,
  id BLOB NOT NULL,
  tenant TEXT NOT NULL,
  flow TEXT NOT NULL,
  release INTEGER NOT NULL,
  key TEXT NOT NULL,
  status TEXT NOT NULL,
  fingerprints BLOB NOT NULL,
  input TEXT NOT NULL,
  output TEXT,
  error TEXT,
  owner INTEGER,
  due_at INTEGER,
  timeout_at INTEGER,
  cancel TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  CONSTRAINT run_id_has_16_bytes CHECK (length(id) = 16),
  CONSTRAINT run_fingerprints_have_32_bytes_each CHECK (length(fingerprints) >= 32 AND length(fingerprints) % 32 = 0),
  CONSTRAINT run_that_ended_is_in_no_memory CHECK (ended_at IS NULL OR owner IS NULL),
  CONSTRAINT run_that_ended_is_not_due CHECK (ended_at IS NULL OR due_at IS NULL)
) STRICT;

-- Which run has an id. Ids are hashes: each insert would write a page of its own, so this is no index that SQLite keeps
-- at every insert, but a table that we fill later, in order of the ids, many rows to a page. See KeyIndex.
CREATE TABLE run_key (
  hash BLOB NOT NULL,
  number INTEGER NOT NULL,
  CONSTRAINT run_key_one_run_per_id PRIMARY KEY (hash)
) STRICT, WITHOUT ROWID;

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
  run INTEGER PRIMARY KEY,
  count INTEGER NOT NULL,
  op INTEGER NOT NULL,
  CONSTRAINT duplicate_counts_up CHECK (count > 0)
) STRICT;
