-- Keys of a server, and replies that it gives again when a request is repeated.

CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    tenant TEXT NOT NULL,
    user TEXT,
    acts_as TEXT,
    rights TEXT NOT NULL,
    per_minute INTEGER,
    created_at TEXT NOT NULL,
    expires_at TEXT
) WITHOUT ROWID;

CREATE TABLE replies (
    scope INTEGER NOT NULL,
    key TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    status INTEGER NOT NULL,
    body TEXT NOT NULL,
    expires_us INTEGER NOT NULL,
    PRIMARY KEY (scope, key)
) WITHOUT ROWID;

CREATE INDEX replies_by_expiry ON replies (expires_us);
