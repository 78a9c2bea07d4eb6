-- Waits for a callback or an approval, in order of creation. The row is there before its token leaves, so that an answer
-- always finds it. token is the SHA-256 of a callback's token; the token itself is stored nowhere.
-- op is the group that settled the wait: the same op means "mine" when a batch is sent again.
CREATE TABLE wait (
  number bigint PRIMARY KEY,
  token bytea,
  tenant text COLLATE "C" NOT NULL,
  run bigint NOT NULL,
  step text COLLATE "C" NOT NULL,
  item text COLLATE "C",
  round bigint,
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  awaited bigint NOT NULL,
  ask text COLLATE "C",
  roles text COLLATE "C" NOT NULL,
  can_rework bigint NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint,
  on_expire text COLLATE "C",
  op bigint,
  decision text COLLATE "C",
  by text COLLATE "C",
  settled_at bigint,
  CONSTRAINT wait_token_has_32_bytes CHECK (token IS NULL OR length(token) = 32),
  CONSTRAINT wait_for_a_callback_has_a_token CHECK (kind <> 'approval' OR token IS NULL),
  CONSTRAINT wait_that_is_open_has_no_decision CHECK (state <> 'open' OR (decision IS NULL AND op IS NULL))
);

-- An answer comes with its token alone.
CREATE UNIQUE INDEX wait_one_per_token ON wait (token) WHERE token IS NOT NULL;

-- A run that ends closes its own. Runs are numbered in order of creation, so new entries lie near the end.
CREATE INDEX wait_by_run ON wait (run);

-- People ask for what they have to decide; what is decided leaves the index.
CREATE INDEX wait_open_approval ON wait (tenant, number) WHERE kind = 'approval' AND state = 'open';

-- Answers that came after the wait was settled and changed nothing. By op, so that a batch that is sent again keeps
-- each once.
CREATE TABLE later_answer (
  wait bigint NOT NULL,
  op bigint NOT NULL,
  at bigint NOT NULL,
  by text COLLATE "C",
  decision text COLLATE "C" NOT NULL,
  CONSTRAINT later_answer_once PRIMARY KEY (wait, op)
);

-- The key that tokens are made with. It never leaves the process.
CREATE TABLE secret (
  name text COLLATE "C" NOT NULL PRIMARY KEY,
  value bytea NOT NULL,
  CONSTRAINT secret_has_32_bytes CHECK (length(value) = 32)
);

-- Work that is done again after a rework has other steps: null in the first round.
ALTER TABLE effect ADD COLUMN round bigint;
