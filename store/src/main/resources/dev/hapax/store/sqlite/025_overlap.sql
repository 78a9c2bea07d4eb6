-- The id of the run that a schedule started last, so that the next instant can find it open. Null for schedules that are
-- older than this column, and before the first run.
ALTER TABLE schedule ADD COLUMN last_run TEXT;

-- How many instants got no run because of other runs.
ALTER TABLE schedule ADD COLUMN skipped INTEGER NOT NULL DEFAULT 0;

-- The instants from next_at to this one wait until last_run has ended. Null if none waits.
ALTER TABLE schedule ADD COLUMN queued_until INTEGER;
