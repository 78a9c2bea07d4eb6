-- Who started a run as its child, and how many callers wait above it: a flow that calls itself for ever is stopped.
ALTER TABLE run ADD COLUMN parent INTEGER;
ALTER TABLE run ADD COLUMN depth INTEGER NOT NULL DEFAULT 0;

-- People ask for the children of a run. Partial: a run that is nobody's child never enters it. Children of one parent
-- are mostly made one after the other, so that their entries lie together.
CREATE INDEX run_by_parent ON run (parent, number) WHERE parent IS NOT NULL;
