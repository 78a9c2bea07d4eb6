-- Facts about the store as a whole, one row each. Times are epoch milliseconds everywhere. Texts are compared
-- byte by byte, as SQLite and Java do.
CREATE TABLE meta (
  name text COLLATE "C" NOT NULL PRIMARY KEY,
  value bigint NOT NULL
);

INSERT INTO meta (name, value) VALUES
  -- The newest time of a commit, written at most every ten seconds, so that a clock that was set back is noticed.
  ('newest_at', 0);

-- Who may write. A node, that is one process start, has one row under a random number, and every transaction that writes
-- first locks it FOR SHARE: whoever takes over what the node had changes the row, which waits for open transactions by
-- that lock, and later ones find no row.
CREATE TABLE lease (
  node bigint PRIMARY KEY,
  epoch bigint NOT NULL
);
