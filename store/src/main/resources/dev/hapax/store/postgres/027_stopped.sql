-- When, by which door and from whom the last stopped duplicates came, the newest first: a line of ASCII for each. It is
-- written by the statement that counts them, so that telling them costs no further row or read. Null for older counts.
ALTER TABLE duplicate ADD COLUMN notes text COLLATE "C";
