-- Nodes that work at the same time. A node's row is there as long as it may write; whoever finds that it has run out
-- deletes it, and what the node had in memory goes to others. Times are the server's own, by clock_timestamp(): a node's
-- clock is never compared with another's. Numbers of nodes never come again, so no epoch is needed: a row that is gone
-- is one that has passed.
DELETE FROM lease;

ALTER TABLE lease
  DROP COLUMN epoch,
  -- Under which the node's runs stand; null until it attends for the first time.
  ADD COLUMN owner bigint,
  -- A part of every number that the node makes, so that two nodes never make the same.
  ADD COLUMN mark bigint NOT NULL,
  ADD COLUMN expires_at timestamptz NOT NULL,
  -- Without a gap since then. Who has just found that its own lease had run out says nothing of others: perhaps it was
  -- the server that was away, for all of them.
  ADD COLUMN held_since timestamptz NOT NULL,
  ADD CONSTRAINT lease_one_per_owner UNIQUE (owner),
  ADD CONSTRAINT lease_one_per_mark UNIQUE (mark),
  ADD CONSTRAINT lease_mark_fits_into_numbers CHECK (mark BETWEEN 0 AND 255);

-- A node asks which of its runs others want to end; they are few at any moment.
CREATE INDEX run_to_stop ON run (owner) WHERE owner IS NOT NULL AND cancel IS NOT NULL;
