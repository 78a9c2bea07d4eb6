-- The fields by which a run can be found, as JSON: {"name": "value"}. Null for runs of flows that declare none, and for
-- those that are older than this column.
ALTER TABLE run ADD COLUMN search text COLLATE "C";

-- Texts that lead to runs and effects: keys (k), flows (f) and searchable values (s) of runs; keys (e) and wire keys (w) of
-- effects. Filled later and in its own order, so that a start or a claim writes nothing here; rows from the number in meta
-- on are not in it yet, and are looked at one by one. An entry is a hint: the row says whether it fits.
CREATE TABLE search (
  tenant text COLLATE "C" NOT NULL,
  field text COLLATE "C" NOT NULL,
  text text COLLATE "C" NOT NULL,
  number bigint NOT NULL,
  CONSTRAINT search_once PRIMARY KEY (tenant, field, text, number)
);

INSERT INTO meta (name, value) VALUES ('runs_searched_before', 0), ('effects_searched_before', 0);

-- People paste the id that the destination shows. Partial: an effect without one never enters it.
CREATE INDEX effect_by_external_id ON effect (tenant, external_id, number) WHERE external_id IS NOT NULL;

-- People ask which runs failed with a code, and which of them a retry may help. Partial: a run that goes well enters
-- neither.
CREATE INDEX run_by_error ON run (tenant, (cast(error AS json) ->> 'code'), number) WHERE error IS NOT NULL;
CREATE INDEX run_retryable ON run (tenant, number)
  WHERE error IS NOT NULL AND (cast(error AS json) ->> 'retryable') = 'true';
