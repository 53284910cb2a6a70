-- Sessions in which somebody is at work: one turn at a time, in all programs on this file.

CREATE TABLE turns (
    mark BLOB PRIMARY KEY,
    holder TEXT NOT NULL,
    lease_us INTEGER NOT NULL
) WITHOUT ROWID;
