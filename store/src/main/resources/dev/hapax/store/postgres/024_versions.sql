-- A version that is no whole number of 64 bits: a larger number, one with a fraction, a time in UTC, or any other text.
-- Null for all other versions, and for those that are older than this column. The column version is then 0 in the tables
-- of the inbox, whose rows of an object have one, and null in those of effects.
ALTER TABLE inbox ADD COLUMN version_text text COLLATE "C";
ALTER TABLE inbox_object ADD COLUMN version_text text COLLATE "C";
ALTER TABLE effect ADD COLUMN version_text text COLLATE "C";
ALTER TABLE expired_effect ADD COLUMN version_text text COLLATE "C";

-- The fingerprint of the input that an event brought under a version of its object, if it was taken. Null for events
-- without a version, and for those that are older than this column: the run of their object's newest version has it.
ALTER TABLE inbox ADD COLUMN content bytea;

-- An event with an equal version asks whether its content came before.
CREATE INDEX inbox_by_content ON inbox (tenant, source, object, content) WHERE content IS NOT NULL;
