-- Whose effect it was, so that it goes when its tenant is erased. Null for those that are older than this column: they go
-- when their time is over.
ALTER TABLE expired_effect ADD COLUMN tenant TEXT;
