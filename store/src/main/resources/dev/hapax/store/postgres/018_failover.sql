-- The servers that this database has been on, in the order in which nodes noticed. Whatever takes over, a standby that was
-- promoted or a copy that was restored, calls itself by another name than the one that is written here, and what the
-- former one wrote last may be missing.
CREATE TABLE server (
  number bigint PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  noted_at bigint NOT NULL,
  -- What may be missing was written after this time; null for the first server.
  lost_since bigint
);

-- When the node was last heard of, by the server's clock: nothing that was written before is missing later.
ALTER TABLE lease ADD COLUMN renewed_at timestamptz;
