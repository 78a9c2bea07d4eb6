-- How long a tenant's runs of a flow are kept after their end. The empty tenant stands for all tenants that have not set
-- their own: that is what every row before this migration said, so it keeps its meaning until a tenant sets another one.
-- By flow and then by tenant, so that both rows that a run may need are found together.
ALTER TABLE retention ADD COLUMN tenant text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE retention DROP CONSTRAINT retention_pkey;
ALTER TABLE retention ADD CONSTRAINT retention_one_per_flow_and_tenant PRIMARY KEY (flow, tenant);
ALTER TABLE retention ALTER COLUMN tenant DROP DEFAULT;

-- Which flows of a tenant share an effect's name. What was noted before has no tenant, and counts for every tenant: an
-- effect must not be forgotten earlier than was promised.
ALTER TABLE effect_use ADD COLUMN tenant text COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE effect_use DROP CONSTRAINT effect_use_one_per_name_and_flow;
ALTER TABLE effect_use ADD CONSTRAINT effect_use_one_per_name_tenant_and_flow PRIMARY KEY (name, tenant, flow);
ALTER TABLE effect_use ALTER COLUMN tenant DROP DEFAULT;
