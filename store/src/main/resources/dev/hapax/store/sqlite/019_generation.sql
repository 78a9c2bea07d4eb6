-- Which generation of its key a run is, counted from the first run that had the key: a start finds the newest one with a
-- single seek, however often the key came again.
ALTER TABLE succession ADD COLUMN first_run INTEGER;
ALTER TABLE succession ADD COLUMN generation INTEGER;

WITH RECURSIVE line (run, first_run, generation) AS (
  SELECT run, predecessor, 1 FROM succession AS second
  WHERE NOT EXISTS (SELECT 1 FROM succession AS earlier WHERE earlier.run = second.predecessor)
  UNION ALL
  SELECT succession.run, line.first_run, line.generation + 1
  FROM line JOIN succession ON succession.predecessor = line.run
)
UPDATE succession SET first_run = line.first_run, generation = line.generation FROM line WHERE line.run = succession.run;

CREATE INDEX succession_by_first_run ON succession (first_run, generation);
