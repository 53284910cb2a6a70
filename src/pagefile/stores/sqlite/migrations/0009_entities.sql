-- Who and what records name, and which names stand for the same.

CREATE TABLE entity_mentions (
    scope INTEGER NOT NULL,
    entity TEXT NOT NULL,
    item INTEGER NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (scope, entity, item)
) WITHOUT ROWID;

CREATE INDEX entity_mentions_by_item ON entity_mentions (scope, item);

CREATE TABLE entity_aliases (
    scope INTEGER NOT NULL,
    alias TEXT NOT NULL,
    name TEXT NOT NULL,
    entity TEXT NOT NULL,
    entity_name TEXT NOT NULL,
    PRIMARY KEY (scope, alias)
) WITHOUT ROWID;
