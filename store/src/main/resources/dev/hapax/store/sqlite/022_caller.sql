-- The caller who started a run, as JSON: {"id", "name"}. Null for runs that an event, an instant or another run started,
-- and for those that are older than this column.
ALTER TABLE run ADD COLUMN started_by TEXT;

-- The version of the key that the token of a wait is made with. 0 is the key in the table secret, which all older waits
-- have; the keys of later versions are not in the database, or are sealed.
ALTER TABLE wait ADD COLUMN key_version INTEGER NOT NULL DEFAULT 0;

-- Who may not decide an approval: the starter of its run, and a person who only has its link.
ALTER TABLE wait ADD COLUMN not_by_starter INTEGER NOT NULL DEFAULT 0;
ALTER TABLE wait ADD COLUMN needs_token INTEGER NOT NULL DEFAULT 0;
