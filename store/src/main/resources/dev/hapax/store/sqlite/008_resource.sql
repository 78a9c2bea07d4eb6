-- Large values, once per tenant and content. A value is whole when all its parts are here: the parts of a very large one
-- come in several commits, and go in several. Until kept_until it stays also without a reference; referenced says whether
-- resource_ref has a row for it, so that the collector finds what to delete without looking at what is in use.
CREATE TABLE resource (
  number INTEGER PRIMARY KEY,
  tenant TEXT NOT NULL,
  hash BLOB NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  whole INTEGER NOT NULL,
  referenced INTEGER NOT NULL,
  kept_until INTEGER NOT NULL,
  CONSTRAINT resource_once_per_tenant_and_content UNIQUE (tenant, hash),
  CONSTRAINT resource_hash_has_32_bytes CHECK (length(hash) = 32)
) STRICT;

CREATE INDEX resource_unreferenced ON resource (kept_until, number) WHERE referenced = 0;

-- A table with row numbers: long rows in a table without them make its inner pages long, too.
CREATE TABLE resource_part (
  resource INTEGER NOT NULL,
  part INTEGER NOT NULL,
  bytes BLOB NOT NULL,
  CONSTRAINT resource_part_once PRIMARY KEY (resource, part)
) STRICT;

-- Who refers to a value: the number of a run, an effect or an entry of the durable map. Written in the commit that
-- writes the text with the reference, and deleted with the row that holds it.
CREATE TABLE resource_ref (
  subject INTEGER NOT NULL,
  resource INTEGER NOT NULL,
  CONSTRAINT resource_ref_once PRIMARY KEY (subject, resource)
) STRICT, WITHOUT ROWID;

CREATE INDEX resource_ref_by_resource ON resource_ref (resource);
