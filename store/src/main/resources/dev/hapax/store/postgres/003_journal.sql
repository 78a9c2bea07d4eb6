-- One row per run and commit, not one per event: a run of N effects writes N+1 rows. Run numbers are in order of
-- creation, so that the rows of the runs that are alive lie together at the end. The position of a journal is not kept
-- in the run's row: a commit in the middle of a run does not touch that row.
-- op is the group that wrote the row: the same op means "mine" when a batch is sent again.
CREATE TABLE journal (
  run bigint NOT NULL,
  seq bigint NOT NULL,
  op bigint NOT NULL,
  at bigint NOT NULL,
  entries text COLLATE "C" NOT NULL,
  answers text COLLATE "C",
  CONSTRAINT journal_one_row_per_commit PRIMARY KEY (run, seq),
  CONSTRAINT journal_seq_starts_at_one CHECK (seq >= 1)
);
