-- How long a tenant's runs of a flow are kept after their end. The empty tenant stands for all tenants that have not set
-- their own: that is what every row before this migration said, so it keeps its meaning until a tenant sets another one.
-- By flow and then by tenant, so that both rows that a run may need are found together.
CREATE TABLE tenant_retention (
  flow TEXT NOT NULL,
  tenant TEXT NOT NULL,
  keep INTEGER NOT NULL,
  CONSTRAINT retention_one_per_flow_and_tenant PRIMARY KEY (flow, tenant)
) STRICT, WITHOUT ROWID;

INSERT INTO tenant_retention (flow, tenant, keep) SELECT flow, '', keep FROM retention;
DROP TABLE retention;
ALTER TABLE tenant_retention RENAME TO retention;

-- Which flows of a tenant share an effect's name. What was noted before has no tenant, and counts for every tenant: an
-- effect must not be forgotten earlier than was promised.
CREATE TABLE tenant_effect_use (
  name TEXT NOT NULL,
  tenant TEXT NOT NULL,
  flow TEXT NOT NULL,
  at_least INTEGER NOT NULL,
  CONSTRAINT effect_use_one_per_name_tenant_and_flow PRIMARY KEY (name, tenant, flow)
) STRICT, WITHOUT ROWID;

INSERT INTO tenant_effect_use (name, tenant, flow, at_least) SELECT name, '', flow, at_least FROM effect_use;
DROP TABLE effect_use;
ALTER TABLE tenant_effect_use RENAME TO effect_use;
