-- How far the running summary of a session goes.

ALTER TABLE sessions ADD COLUMN summarised_to INTEGER NOT NULL DEFAULT 0;
UPDATE sessions SET summarised_to = window_start - 1 WHERE summary IS NOT NULL;
