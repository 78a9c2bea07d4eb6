-- Every event that was received, in order of arrival, and what became of it. A redelivery is counted on the first row;
-- op is the group that counted last, so that a batch that is sent again counts once.
CREATE TABLE inbox (
  number bigint PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  object text COLLATE "C",
  version bigint,
  payload text COLLATE "C" NOT NULL,
  flow text COLLATE "C" NOT NULL,
  outcome text COLLATE "C" NOT NULL,
  run text COLLATE "C",
  detail text COLLATE "C",
  received_at bigint NOT NULL,
  redeliveries bigint NOT NULL,
  op bigint NOT NULL,
  CONSTRAINT inbox_version_is_of_an_object CHECK ((object IS NULL) = (version IS NULL))
);

-- Racing deliveries of one event meet here.
CREATE UNIQUE INDEX inbox_one_row_per_event ON inbox (tenant, source, event);

-- The newest version of an object that started something: what is older is stale.
CREATE TABLE inbox_object (
  tenant text COLLATE "C" NOT NULL,
  source text COLLATE "C" NOT NULL,
  object text COLLATE "C" NOT NULL,
  version bigint NOT NULL,
  number bigint NOT NULL,
  run text COLLATE "C",
  CONSTRAINT inbox_object_one_version PRIMARY KEY (tenant, source, object)
);

-- Retention asks for what is old.
CREATE INDEX inbox_object_by_number ON inbox_object (number);
