-- Every event that was received, in order of arrival, and what became of it. A redelivery is counted on the first row;
-- op is the group that counted last, so that a batch that is sent again counts once.
CREATE TABLE inbox (
  number INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  source TEXT NOT NULL,
  event TEXT NOT NULL,
  object TEXT,
  version INTEGER,
  payload TEXT NOT NULL,
  flow TEXT NOT NULL,
  outcome TEXT NOT NULL,
  run TEXT,
  detail TEXT,
  received_at INTEGER NOT NULL,
  redeliveries INTEGER NOT NULL,
  op INTEGER NOT NULL,
  CONSTRAINT inbox_version_is_of_an_object CHECK ((object IS NULL) = (version IS NULL))
) STRICT;

-- Racing deliveries of one event meet here.
CREATE UNIQUE INDEX inbox_one_row_per_event ON inbox (tenant, source, event);

-- The newest version of an object that started something: what is older is stale.
CREATE TABLE inbox_object (
  tenant TEXT NOT NULL,
  source TEXT NOT NULL,
  object TEXT NOT NULL,
  version INTEGER NOT NULL,
  number INTEGER NOT NULL,
  run TEXT,
  CONSTRAINT inbox_object_one_version PRIMARY KEY (tenant, source, object)
) STRICT, WITHOUT ROWID;

-- Retention asks for what is old.
CREATE INDEX inbox_object_by_number ON inbox_object (number);
