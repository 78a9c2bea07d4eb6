-- Who started a run as its child, and how many callers wait above it: a flow that calls itself for ever is stopped.
ALTER TABLE run ADD COLUMN parent bigint;
ALTER TABLE run ADD COLUMN depth bigint NOT NULL DEFAULT 0;

-- People ask for the children of a run. Partial: a run that is nobody's child never enters it. Children of one parent
-- are mostly made one after the other, so that their entries lie together.
CREATE INDEX run_by_parent ON run (parent, number) WHERE parent IS NOT NULL;
