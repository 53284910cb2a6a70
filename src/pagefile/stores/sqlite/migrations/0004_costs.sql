-- What models cost, by what it was for, and what was read, cached and written. Until now it was learning alone, and one sum.

ALTER TABLE spent RENAME TO spent_before;

CREATE TABLE spent (
    scope INTEGER NOT NULL,
    day TEXT NOT NULL,
    purpose TEXT NOT NULL,
    calls INTEGER NOT NULL,
    input_tokens INTEGER NOT NULL,
    cached_tokens INTEGER NOT NULL,
    output_tokens INTEGER NOT NULL,
    PRIMARY KEY (scope, day, purpose)
) WITHOUT ROWID;

INSERT INTO spent SELECT scope, day, 'learn', calls, tokens, 0, 0 FROM spent_before;
DROP TABLE spent_before;
