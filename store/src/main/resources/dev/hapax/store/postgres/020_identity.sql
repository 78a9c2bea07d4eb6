-- Which store this is. A random number for good; only a copy that a person has declared to be one gets another.
INSERT INTO meta (name, value)
SELECT 'store_id', ('x' || substr(md5(cast(gen_random_uuid() AS text)), 1, 15))::bit(60)::bigint;
-- Beside it a node writes 'place', the number of the database and of this table in it: a dump that was loaded elsewhere,
-- or once more, has another one. Only while a restored or copied store waits for a person there are 'lost_since', the
-- time after which something may be missing, and 'restored_why', how it was noticed.
