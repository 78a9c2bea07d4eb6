-- The durable map. The number is that of the write that made the entry as it is, so it changes with every write and new
-- rows lie at the end; large values are referred to by it.
CREATE TABLE kv (
  number bigint PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  value text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  expires_at bigint,
  CONSTRAINT kv_one_entry_per_key UNIQUE (tenant, key)
);

-- What is to be collected; most entries never expire and are not in it.
CREATE INDEX kv_by_expiry ON kv (expires_at, number) WHERE expires_at IS NOT NULL;

-- Versions count up over all keys: a key that is deleted and made again needs no row that remembers its last version.
INSERT INTO meta (name, value) VALUES ('kv_version', 0);

-- What groups without a journal row were answered, so that a batch that is sent again writes once and answers the same.
-- A batch is sent again until its outcome is known, and nothing else meanwhile: rows are needed for a short time.
CREATE TABLE answered (
  op bigint PRIMARY KEY,
  answers text COLLATE "C" NOT NULL
);
