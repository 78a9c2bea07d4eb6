-- Work on many runs, effects or events that a person asked for once. Version is the operation that wrote the row; a writer
-- that expects another one writes nothing. Totals are JSON: {"items": 12}.
CREATE TABLE job (
  number bigint PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  state text COLLATE "C" NOT NULL,
  spec text COLLATE "C" NOT NULL,
  totals text COLLATE "C" NOT NULL,
  done bigint NOT NULL,
  failed bigint NOT NULL,
  skipped bigint NOT NULL,
  rate bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  applied_by text COLLATE "C",
  created_at bigint NOT NULL,
  ended_at bigint,
  problem text COLLATE "C",
  turn bigint NOT NULL,
  selected bigint NOT NULL,
  place text COLLATE "C",
  version bigint NOT NULL,
  CONSTRAINT job_is_selected_or_not CHECK (selected IN (0, 1))
);

CREATE UNIQUE INDEX job_by_id ON job (tenant, id);
CREATE INDEX job_by_tenant ON job (tenant, number);

-- What a job acts on, in its order, and what came of it.
CREATE TABLE job_item (
  job bigint NOT NULL,
  position bigint NOT NULL,
  subject text COLLATE "C" NOT NULL,
  flow text COLLATE "C",
  key text COLLATE "C",
  state text COLLATE "C" NOT NULL,
  detail text COLLATE "C",
  problem text COLLATE "C",
  at bigint,
  CONSTRAINT job_item_once PRIMARY KEY (job, position)
);

-- The next open item is found, and results are read by their state, however many there are.
CREATE INDEX job_item_by_state ON job_item (job, state, position);
