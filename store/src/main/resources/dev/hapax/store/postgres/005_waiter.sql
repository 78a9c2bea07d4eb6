-- Runs wait not only for effects: numbers are unique over runs, effects and all else that has one.
ALTER TABLE waiter RENAME COLUMN effect TO subject;
