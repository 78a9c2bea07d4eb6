-- Facts about the store as a whole, one row each. Times are epoch milliseconds everywhere.
CREATE TABLE meta (
  name TEXT NOT NULL PRIMARY KEY,
  value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO meta (name, value) VALUES
  -- The newest time of a commit, written at most every ten seconds, so that a clock that was set back is noticed.
  ('newest_at', 0),
  -- Every run, every effect with a smaller number is in run_key, effect_key; the others are few and kept in memory.
  ('runs_indexed_before', 0),
  ('effects_indexed_before', 0);
