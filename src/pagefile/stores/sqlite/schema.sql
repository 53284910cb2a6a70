-- The schema of a Pagefile store: all migrations applied. Kept equal to them by a test.
-- Times in columns named *_us are microseconds since 1970 in UTC; other times are ISO 8601 text with the offset they were given with.
-- Every table begins its key with the scope, so that what is read together lies together.

CREATE TABLE scopes (
    scope INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again after an erase, so that no cache can mistake one scope for another
    tenant TEXT NOT NULL,
    user TEXT NOT NULL,
    last_item INTEGER NOT NULL DEFAULT 0,     -- the last item number given, or less: see the items themselves
    last_session INTEGER NOT NULL DEFAULT 0,  -- the last session number given
    last_entry INTEGER NOT NULL DEFAULT 0,    -- the last number given in history and operations
    version INTEGER NOT NULL DEFAULT 0,       -- grows with every write to items or vectors; or less, likewise
    epoch INTEGER NOT NULL DEFAULT 0,         -- grows when items or vectors are taken away: caches start anew
    folded INTEGER NOT NULL DEFAULT 0,        -- the last item whose terms are in the postings; those of newer ones stand beside their texts alone
    revision INTEGER NOT NULL DEFAULT 0,      -- grows with every apply that adds or changes a record: what was decided before is stale
    UNIQUE (tenant, user)
);

CREATE TABLE sessions (
    scope INTEGER NOT NULL,
    session INTEGER NOT NULL,
    name TEXT NOT NULL,
    last_seq INTEGER NOT NULL DEFAULT 0,
    messages INTEGER NOT NULL DEFAULT 0,
    window_start INTEGER NOT NULL DEFAULT 1,
    summary TEXT,
    summarised_to INTEGER NOT NULL DEFAULT 0,  -- the last sequence number that the summary covers
    holder TEXT,                   -- who is at work in it
    lease_us INTEGER NOT NULL DEFAULT 0,  -- anybody may take it from then on
    PRIMARY KEY (scope, session),
    UNIQUE (scope, name)
) WITHOUT ROWID;

-- What search and filters need of every message and record, and no text.
CREATE TABLE items (
    scope INTEGER NOT NULL,
    item INTEGER NOT NULL,
    id TEXT NOT NULL,
    kind INTEGER NOT NULL,         -- place in rows.KINDS; 0 is a message
    session INTEGER,
    seq INTEGER,
    role INTEGER,                  -- place in rows.ROLES
    speaker TEXT,
    agent TEXT,
    time_us INTEGER NOT NULL,      -- said_at of a message; valid_from, else learned_at, of a record
    tokens INTEGER NOT NULL,
    trust INTEGER NOT NULL,
    status INTEGER NOT NULL,       -- place in rows.STATUSES; a message is current, superseded, retired or both (4)
    confidence REAL NOT NULL,
    importance REAL NOT NULL,
    use_count INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    expires_us INTEGER,
    tags TEXT,                     -- a JSON list, or null
    length INTEGER NOT NULL,       -- terms in it, repetitions counted
    hash TEXT NOT NULL,            -- a vector counts only while it carries the same one; empty: not to be embedded
    version INTEGER NOT NULL,      -- of the scope, when this row or its vector was last written
    until_us INTEGER,              -- valid_to of a record
    learned_us INTEGER NOT NULL DEFAULT 0,  -- learned_at of a record, recorded_at of a message
    retired_us INTEGER,            -- retired_at of a record
    PRIMARY KEY (scope, item)
) WITHOUT ROWID;

CREATE UNIQUE INDEX items_by_id ON items (scope, id);
CREATE INDEX items_by_session ON items (scope, session, seq);
CREATE INDEX items_by_version ON items (scope, version);

CREATE TABLE messages (
    scope INTEGER NOT NULL,
    item INTEGER NOT NULL,
    text TEXT NOT NULL,
    parts TEXT,
    tool_calls TEXT,
    tool_call_id TEXT,
    said_at TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    external_id TEXT,
    origin TEXT NOT NULL,
    consent INTEGER NOT NULL DEFAULT 0,
    outdated TEXT,
    learnable INTEGER NOT NULL DEFAULT 1,
    terms BLOB,                    -- with their counts, by postings.py: to find it while it is not in the postings yet, and to find those again
    PRIMARY KEY (scope, item)
) WITHOUT ROWID;

CREATE TABLE external_ids (
    scope INTEGER NOT NULL,
    session INTEGER NOT NULL,
    external_id TEXT NOT NULL,
    item INTEGER NOT NULL,
    PRIMARY KEY (scope, session, external_id)
) WITHOUT ROWID;

-- What an append under a caller's key answered.
CREATE TABLE receipts (
    scope INTEGER NOT NULL,
    key TEXT NOT NULL,
    session INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    answer TEXT NOT NULL,          -- JSON: [[item, outcome], …]
    PRIMARY KEY (scope, key)
) WITHOUT ROWID;

CREATE TABLE records (
    scope INTEGER NOT NULL,
    item INTEGER NOT NULL,
    body TEXT NOT NULL,            -- JSON of the fields that have a value, but for the counters below
    use_count INTEGER NOT NULL,
    last_used_at TEXT,
    terms BLOB,                    -- as in messages
    PRIMARY KEY (scope, item)
) WITHOUT ROWID;

CREATE TABLE blocks (
    scope INTEGER NOT NULL,
    label TEXT NOT NULL,
    agent TEXT NOT NULL,           -- empty: shared
    text TEXT NOT NULL,
    description TEXT NOT NULL,
    token_limit INTEGER NOT NULL,
    read_only INTEGER NOT NULL,
    version INTEGER NOT NULL,
    PRIMARY KEY (scope, label, agent)
) WITHOUT ROWID;

CREATE TABLE history (
    scope INTEGER NOT NULL,
    target TEXT NOT NULL,
    entry INTEGER NOT NULL,
    change TEXT NOT NULL,
    before TEXT NOT NULL,
    after TEXT NOT NULL,
    actor TEXT NOT NULL,
    reason TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (scope, target, entry)
) WITHOUT ROWID;

CREATE UNIQUE INDEX history_by_entry ON history (scope, entry);

-- Where records are filed: a hash of each of their keys (language/keys.py).
CREATE TABLE record_keys (
    scope INTEGER NOT NULL,
    key BLOB NOT NULL,
    item INTEGER NOT NULL,
    PRIMARY KEY (scope, key, item)
) WITHOUT ROWID;

-- To take an item out whatever its keys were when it was filed.
CREATE INDEX record_keys_by_item ON record_keys (scope, item);

-- Message → the records that cite it. By its id: a record may cite what is not here (yet).
CREATE TABLE citations (
    scope INTEGER NOT NULL,
    message TEXT NOT NULL,
    item INTEGER NOT NULL,
    PRIMARY KEY (scope, message, item)
) WITHOUT ROWID;

-- Term → the items it stands in, packed by postings.py; one row for each 1,024 item numbers.
CREATE TABLE postings (
    scope INTEGER NOT NULL,
    term TEXT NOT NULL,
    chunk INTEGER NOT NULL,
    packed BLOB NOT NULL,
    PRIMARY KEY (scope, term, chunk)
) WITHOUT ROWID;

CREATE TABLE embedders (
    embedder INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again, as for scopes
    id TEXT NOT NULL UNIQUE,
    dimension INTEGER NOT NULL
);

CREATE TABLE vectors (
    scope INTEGER NOT NULL,
    embedder INTEGER NOT NULL,
    item INTEGER NOT NULL,
    vector BLOB NOT NULL,          -- float32, little-endian, length 1
    PRIMARY KEY (scope, embedder, item)
) WITHOUT ROWID;

CREATE TABLE jobs (
    job INTEGER PRIMARY KEY AUTOINCREMENT,
    scope INTEGER NOT NULL,
    kind TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL,
    attempts INTEGER NOT NULL DEFAULT 0,
    ready_us INTEGER NOT NULL DEFAULT 0,  -- 0: at once
    lease_us INTEGER NOT NULL DEFAULT 0,  -- a running job may be claimed again from then on
    created_us INTEGER NOT NULL,
    error TEXT,
    once TEXT                             -- a name: no two jobs of this kind and name wait in the scope
);

CREATE INDEX jobs_by_scope ON jobs (scope, job);
CREATE INDEX jobs_by_state ON jobs (state, kind, job);
CREATE UNIQUE INDEX jobs_by_once ON jobs (scope, kind, once) WHERE once IS NOT NULL AND state = 'queued';

CREATE TABLE tasks (
    scope INTEGER NOT NULL,
    key TEXT NOT NULL,
    value TEXT NOT NULL,
    step INTEGER NOT NULL,
    updated_at TEXT NOT NULL,
    expires_at TEXT,
    PRIMARY KEY (scope, key)
) WITHOUT ROWID;

CREATE TABLE operations (
    scope INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    kind TEXT NOT NULL,
    parameters TEXT NOT NULL,
    result TEXT NOT NULL,
    at TEXT NOT NULL,
    session TEXT,                  -- what it is about: it goes with these when they are erased
    items TEXT,                    -- a JSON list, or null
    PRIMARY KEY (scope, entry)
) WITHOUT ROWID;

-- How far each reader has come in a session.
CREATE TABLE progress (
    scope INTEGER NOT NULL,
    session INTEGER NOT NULL,
    name TEXT NOT NULL,
    seq INTEGER NOT NULL,
    PRIMARY KEY (scope, session, name)
) WITHOUT ROWID;

-- What models cost on a day: to chat, or to learn.
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

-- What was erased, of all scopes: a hash of scope and mark (tombstones.py), and when.
CREATE TABLE tombstones (
    mark BLOB PRIMARY KEY,
    erased_us INTEGER NOT NULL
) WITHOUT ROWID;

-- Random keys of this file: "tombstones" is that of the hashes.
CREATE TABLE keys (
    name TEXT PRIMARY KEY,
    value BLOB NOT NULL
) WITHOUT ROWID;

-- One row: how often unused parts of the file were zeroed after an erase.
CREATE TABLE scrubs (
    scrub INTEGER PRIMARY KEY,
    count INTEGER NOT NULL
);

-- API keys of a server: of the secret only a hash.
CREATE TABLE api_keys (
    id TEXT PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,     -- SHA-256, in hex
    name TEXT NOT NULL,
    tenant TEXT NOT NULL,
    user TEXT,                     -- the only one it speaks for …
    acts_as TEXT,                  -- … or the pattern of those
    rights TEXT NOT NULL,          -- a JSON list
    per_minute INTEGER,
    created_at TEXT NOT NULL,
    expires_at TEXT
) WITHOUT ROWID;

-- What a server answered under an idempotency key, to be given again. Every erase in a scope takes all of them along.
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

-- Name → the records that name it (language/entities.py), as it is written there.
CREATE TABLE entity_mentions (
    scope INTEGER NOT NULL,
    entity TEXT NOT NULL,
    item INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (scope, entity, item)
) WITHOUT ROWID;

-- To take a record out whatever it named when it was filed.
CREATE INDEX entity_mentions_by_item ON entity_mentions (scope, item);

-- Names that stand for the same as another one, which may be such a name itself. Never in a circle.
CREATE TABLE entity_aliases (
    scope INTEGER NOT NULL,
    alias TEXT NOT NULL,
    name TEXT NOT NULL,
    entity TEXT NOT NULL,
    entity_name TEXT NOT NULL,
    PRIMARY KEY (scope, alias)
) WITHOUT ROWID;
