-- What is done with an item of a loop lies in a lane of its own, so that a run in memory holds only the items that it is
-- at, however many there are. Rows without a lane are the run's own, and are not in the index.
ALTER TABLE journal ADD COLUMN lane text COLLATE "C";

CREATE INDEX journal_by_lane ON journal (run, lane) WHERE lane IS NOT NULL;
