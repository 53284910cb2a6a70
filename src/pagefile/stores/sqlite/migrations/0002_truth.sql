-- What keeps memory true: records are filed under keys and under the messages they cite, what was erased leaves a hash, decisions carry a
-- revision. upgrades.py fills what SQL cannot.

ALTER TABLE scopes ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;

ALTER TABLE items ADD COLUMN until_us INTEGER;
ALTER TABLE items ADD COLUMN learned_us INTEGER NOT NULL DEFAULT 0;
ALTER TABLE items ADD COLUMN retired_us INTEGER;

ALTER TABLE messages ADD COLUMN consent INTEGER NOT NULL DEFAULT 0;
ALTER TABLE messages ADD COLUMN outdated TEXT;

ALTER TABLE operations ADD COLUMN session TEXT;
ALTER TABLE operations ADD COLUMN items TEXT;

ALTER TABLE jobs ADD COLUMN once TEXT;
CREATE UNIQUE INDEX jobs_by_once ON jobs (scope, kind, once) WHERE once IS NOT NULL AND state = 'queued';

CREATE UNIQUE INDEX history_by_entry ON history (scope, entry);

CREATE TABLE record_keys (
    scope INTEGER NOT NULL,
    key BLOB NOT NULL,
    item INTEGER NOT NULL,
    PRIMARY KEY (scope, key, item)
) WITHOUT ROWID;

CREATE INDEX record_keys_by_item ON record_keys (scope, item);

CREATE TABLE citations (
    scope INTEGER NOT NULL,
    message TEXT NOT NULL,
    item INTEGER NOT NULL,
    PRIMARY KEY (scope, message, item)
) WITHOUT ROWID;

CREATE TABLE progress (
    scope INTEGER NOT NULL,
    session INTEGER NOT NULL,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (scope, session, name)
) WITHOUT ROWID;

CREATE TABLE spent (
    scope INTEGER NOT NULL,
    day TEXT NOT NULL,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    PRIMARY KEY (scope, day)
) WITHOUT ROWID;

CREATE TABLE tombstones (
    mark BLOB PRIMARY KEY,
    erased_us INTEGER NOT NULL
) WITHOUT ROWID;

CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;
