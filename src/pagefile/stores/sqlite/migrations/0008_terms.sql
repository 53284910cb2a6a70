-- The terms of an item stand beside its text, so that a message is written with one row less; who is at work in a session stands with it.
-- Jobs are looked for by their kinds: those that nobody does for now keep no others waiting.

ALTER TABLE messages ADD COLUMN terms BLOB;
UPDATE messages SET terms = (SELECT t.terms FROM item_terms AS t WHERE t.scope = messages.scope AND t.item = messages.item);
ALTER TABLE records ADD COLUMN terms BLOB;
UPDATE records SET terms = (SELECT t.terms FROM item_terms AS t WHERE t.scope = records.scope AND t.item = records.item);
DROP TABLE item_terms;
ALTER TABLE sessions ADD COLUMN holder TEXT;
ALTER TABLE sessions ADD COLUMN lease_us INTEGER NOT NULL DEFAULT 0;
DROP TABLE turns;
DROP INDEX jobs_by_state;
CREATE INDEX jobs_by_state ON jobs (state, kind, job);
