-- Waits for a callback or an approval, in order of creation. The row is there before its token leaves, so that an answer
-- always finds it. token is the SHA-256 of a callback's token; the token itself is stored nowhere.
-- op is the group that settled the wait: the same op means "mine" when a batch is sent again.
CREATE TABLE wait (
  number INTEGER PRIMARY KEY,
  token BLOB,
  tenant TEXT NOT NULL,
  run INTEGER NOT NULL,
  step TEXT NOT NULL,
  item TEXT,
  round INTEGER,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  awaited INTEGER NOT NULL,
  ask TEXT,
  roles TEXT NOT NULL,
  can_rework INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER,
  on_expire TEXT,
  op INTEGER,
  decision TEXT,
  by TEXT,
  settled_at INTEGER,
  CONSTRAINT wait_token_has_32_bytes CHECK (token IS NULL OR length(token) = 32),
  CONSTRAINT wait_for_a_callback_has_a_token CHECK (kind <> 'approval' OR token IS NULL),
  CONSTRAINT wait_that_is_open_has_no_decision CHECK (state <> 'open' OR (decision IS NULL AND op IS NULL))
) STRICT;

-- An answer comes with its token alone.
CREATE UNIQUE INDEX wait_one_per_token ON wait (token) WHERE token IS NOT NULL;

-- A run that ends closes its own. Runs are numbered in order of creation, so new entries lie near the end.
CREATE INDEX wait_by_run ON wait (run);

-- People ask for what they have to decide; what is decided leaves the index.
CREATE INDEX wait_open_approval ON wait (tenant, number) WHERE kind = 'approval' AND state = 'open';

-- Answers that came after the wait was settled and changed nothing. By op, so that a batch that is sent again keeps
-- each once.
CREATE TABLE later_answer (
  wait INTEGER NOT NULL,
  op INTEGER NOT NULL,
  at INTEGER NOT NULL,
  by TEXT,
  decision TEXT NOT NULL,
  CONSTRAINT later_answer_once PRIMARY KEY (wait, op)
) STRICT, WITHOUT ROWID;

-- The key that tokens are made with. It never leaves the process.
CREATE TABLE secret (
  name TEXT NOT NULL PRIMARY KEY,
  value BLOB NOT NULL,
  CONSTRAINT secret_has_32_bytes CHECK (length(value) = 32)
) STRICT, WITHOUT ROWID;

-- Work that is done again after a rework has other steps: null in the first round.
ALTER TABLE effect ADD COLUMN round INTEGER;
