-- Which store this is, and how old its content is.
INSERT INTO meta (name, value) VALUES
  -- A random number for good; only a copy that a person has declared to be one gets another.
  ('store_id', random() & 0x7fffffffffffffff),
  -- Raised whenever the file is opened, at every backup, and at most every ten seconds while something is written. Every
  -- transaction checks that it is the one of its own process. The file beside the database, x.db.epoch, has the same
  -- number, written after the commit: a database that is behind it is an older copy.
  ('epoch', 0);
-- Only while a restored or copied store waits for a person: 'lost_since', the time after which something may be missing,
-- and 'restored_why', how it was noticed. A backup has both from the beginning.
