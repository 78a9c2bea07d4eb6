-- Work on many runs, effects or events that a person asked for once. Version is the operation that wrote the row; a writer
-- that expects another one writes nothing. Totals are JSON: {"items": 12}.
CREATE TABLE job (
  number INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  id TEXT NOT NULL,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  spec TEXT NOT NULL,
  totals TEXT NOT NULL,
  done INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  skipped INTEGER NOT NULL,
  rate INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  applied_by TEXT,
  created_at INTEGER NOT NULL,
  ended_at INTEGER,
  problem TEXT,
  turn INTEGER NOT NULL,
  selected INTEGER NOT NULL,
  place TEXT,
  version INTEGER NOT NULL,
  CONSTRAINT job_is_selected_or_not CHECK (selected IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX job_by_id ON job (tenant, id);
CREATE INDEX job_by_tenant ON job (tenant, number);

-- What a job acts on, in its order, and what came of it.
CREATE TABLE job_item (
  job INTEGER NOT NULL,
  position INTEGER NOT NULL,
  subject TEXT NOT NULL,
  flow TEXT,
  key TEXT,
  state TEXT NOT NULL,
  detail TEXT,
  problem TEXT,
  at INTEGER,
  CONSTRAINT job_item_once PRIMARY KEY (job, position)
) STRICT, WITHOUT ROWID;

-- The next open item is found, and results are read by their state, however many there are.
CREATE INDEX job_item_by_state ON job_item (job, state, position);
