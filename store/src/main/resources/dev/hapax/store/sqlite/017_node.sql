-- One process at a time has a file, so there are no leases. The index is the one of the other database: whoever looks
-- for runs in memory that are to end finds them without a look at all others.
CREATE INDEX run_to_stop ON run (owner) WHERE owner IS NOT NULL AND cancel IS NOT NULL;
