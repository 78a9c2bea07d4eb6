-- Where each schedule stands. The next nominal instant is stored, so that the commit that starts its run also moves it on:
-- version is the operation that wrote the row, and whoever expects another one writes nothing.
CREATE TABLE schedule (
  tenant text COLLATE "C" NOT NULL,
  name text COLLATE "C" NOT NULL,
  flow text COLLATE "C" NOT NULL,
  next_at bigint,
  last_at bigint,
  paused bigint NOT NULL,
  note text COLLATE "C",
  version bigint NOT NULL,
  CONSTRAINT schedule_one_row_per_name PRIMARY KEY (tenant, name),
  CONSTRAINT schedule_is_paused_or_not CHECK (paused IN (0, 1))
);
