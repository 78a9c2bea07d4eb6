-- Large values, once per tenant and content. A value is whole when all its parts are here: the parts of a very large one
-- come in several commits, and go in several. Until kept_until it stays also without a reference; referenced says whether
-- resource_ref has a row for it, so that the collector finds what to delete without looking at what is in use.
CREATE TABLE resource (
  number bigint PRIMARY KEY,
  tenant text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  content_type text COLLATE "C" NOT NULL,
  size bigint NOT NULL,
  whole bigint NOT NULL,
  referenced bigint NOT NULL,
  kept_until bigint NOT NULL,
  CONSTRAINT resource_once_per_tenant_and_content UNIQUE (tenant, hash),
  CONSTRAINT resource_hash_has_32_bytes CHECK (length(hash) = 32)
);

CREATE INDEX resource_unreferenced ON resource (kept_until, number) WHERE referenced = 0;

CREATE TABLE resource_part (
  resource bigint NOT NULL,
  part bigint NOT NULL,
  bytes bytea NOT NULL,
  CONSTRAINT resource_part_once PRIMARY KEY (resource, part)
);

-- Who refers to a value: the number of a run, an effect or an entry of the durable map. Written in the commit that
-- writes the text with the reference, and deleted with the row that holds it.
CREATE TABLE resource_ref (
  subject bigint NOT NULL,
  resource bigint NOT NULL,
  CONSTRAINT resource_ref_once PRIMARY KEY (subject, resource)
);

CREATE INDEX resource_ref_by_resource ON resource_ref (resource);
