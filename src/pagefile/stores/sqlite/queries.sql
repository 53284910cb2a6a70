-- Every statement of the store but those that count and erase. A heading names it; the line after says what it is for.
-- {name} stands for a fragment. ":" parameters are bound, never pasted; lists come as JSON.

-- fragment: filters
(:kinds IS NULL OR i.kind IN (SELECT value FROM json_each(:kinds)))
AND (:sessions IS NULL OR i.session IN (SELECT value FROM json_each(:sessions)))
AND (:agent IS NULL OR i.agent = :agent)
AND (:speaker IS NULL OR i.speaker = :speaker)
AND (:roles IS NULL OR i.role IN (SELECT value FROM json_each(:roles)))
AND (:tags IS NULL OR (:tags <> '[]' AND i.tags IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM json_each(:tags) AS wanted WHERE wanted.value NOT IN (SELECT value FROM json_each(i.tags)))))
AND (:min_trust IS NULL OR i.trust >= :min_trust)
AND i.status IN (SELECT value FROM json_each(iif(i.kind = 0, :message_statuses, :record_statuses)))
AND (:window_session IS NULL OR i.seq IS NULL OR i.session <> :window_session OR i.seq < :window_seq)
AND (:since_us IS NULL OR i.time_us >= :since_us)
AND (:until_us IS NULL OR i.time_us < :until_us)
AND (:as_of_us IS NULL OR (i.time_us <= :as_of_us AND (i.until_us IS NULL OR i.until_us > :as_of_us)))
AND (:known_us IS NULL OR (i.learned_us <= :known_us AND (i.retired_us IS NULL OR i.retired_us > :known_us)))
AND (:alive_us IS NULL OR i.expires_us IS NULL OR i.expires_us > :alive_us)

-- fragment: message_columns
i.item, i.id, s.name, i.seq, i.role, m.text, m.parts, m.tool_calls, m.tool_call_id, i.speaker, i.agent,
m.said_at, m.recorded_at, i.tokens, m.external_id, m.origin, m.consent, m.outdated, m.learnable, i.status

-- fragment: history_columns
entry, target, change, before, after, actor, reason, at

-- fragment: message_tables
items AS i JOIN messages AS m ON m.scope = i.scope AND m.item = i.item
JOIN sessions AS s ON s.scope = i.scope AND s.session = i.session

-- fragment: session_columns
s.session, s.name, s.messages, s.last_seq, s.window_start, s.summary, s.summarised_to,
(SELECT m.said_at FROM items AS i JOIN messages AS m ON m.scope = i.scope AND m.item = i.item
 WHERE i.scope = s.scope AND i.session = s.session AND i.kind = 0 ORDER BY i.time_us, i.seq LIMIT 1),
(SELECT m.said_at FROM items AS i JOIN messages AS m ON m.scope = i.scope AND m.item = i.item
 WHERE i.scope = s.scope AND i.session = s.session AND i.kind = 0 ORDER BY i.time_us DESC, i.seq DESC LIMIT 1)

-- fragment: columns
i.item, i.kind, ifnull(i.session, 0), ifnull(i.seq, 0), ifnull(i.role, -1), i.time_us, i.tokens, i.trust, i.status,
i.confidence, i.importance, i.use_count, i.pinned, ifnull(i.expires_us, 9223372036854775807), i.length, i.hash <> '',
i.id, i.speaker, i.agent, i.tags

-- fragment: scope_columns
o.scope, max(o.last_item, ifnull((SELECT i.item FROM items AS i WHERE i.scope = o.scope ORDER BY i.item DESC LIMIT 1), 0)),
o.last_session, o.last_entry,
max(o.version, ifnull((SELECT i.version FROM items AS i WHERE i.scope = o.scope ORDER BY i.version DESC LIMIT 1), 0)),
o.epoch, o.folded, o.revision

-- fragment: job_columns
j.job, o.tenant, o.user, j.kind, j.payload, j.state, j.attempts, j.ready_us, j.created_us, j.error


-- == scopes ==

-- query: scope
-- One scope's row. An append leaves it as it is: the items themselves tell the last number and the version.
SELECT {scope_columns} FROM scopes AS o WHERE o.tenant = :tenant AND o.user = :user

-- query: state
-- What an append to a session begins with: the scope's row, the session's, whether what it answers is there, and the key of the tombstones
-- if there are any.
SELECT {scope_columns}, s.session, s.last_seq, s.holder, s.lease_us,
    :answers IS NULL OR EXISTS (SELECT 1 FROM items AS i WHERE i.scope = o.scope AND i.id = :answers),
    (SELECT value FROM keys WHERE name = 'tombstones' AND EXISTS (SELECT 1 FROM tombstones))
FROM scopes AS o LEFT JOIN sessions AS s ON s.scope = o.scope AND s.name = :session
WHERE o.tenant = :tenant AND o.user = :user

-- query: add_scope
-- A new scope.
INSERT INTO scopes (tenant, user) VALUES (:tenant, :user) RETURNING scope

-- query: save_scope
-- The counters of a scope after a write.
UPDATE scopes SET last_item = :last_item, last_session = :last_session, last_entry = :last_entry, version = :version, epoch = :epoch,
    folded = :folded, revision = :revision
WHERE scope = :scope

-- query: scopes
-- A page of all scopes, or of those of a tenant, oldest first.
SELECT scope, tenant, user FROM scopes WHERE scope > :after AND (:tenant IS NULL OR tenant = :tenant) ORDER BY scope LIMIT :limit

-- query: count_scopes
-- How many scopes there are, of all or of a tenant.
SELECT count(*) FROM scopes WHERE :tenant IS NULL OR tenant = :tenant

-- query: scope_of_number
-- The scope of a number.
SELECT tenant, user FROM scopes WHERE scope = :scope


-- == sessions ==

-- query: session_number
-- A session's number and counters by its name.
SELECT session, last_seq, window_start FROM sessions WHERE scope = :scope AND name = :name

-- query: session_name
-- A session's name by its number.
SELECT name FROM sessions WHERE scope = :scope AND session = :session

-- query: session_names
-- All sessions' numbers and names.
SELECT session, name FROM sessions WHERE scope = :scope

-- query: add_session
-- A new session, or a name that a record mentions.
INSERT INTO sessions (scope, session, name) VALUES (:scope, :session, :name)

-- query: grow_session
-- Count appended messages, and note who is at work in the session.
UPDATE sessions SET last_seq = :last_seq, messages = messages + :added, holder = :holder, lease_us = :lease_us
WHERE scope = :scope AND session = :session

-- query: session
-- What is known of a session.
SELECT {session_columns} FROM sessions AS s WHERE s.scope = :scope AND s.name = :name AND s.messages > 0

-- query: resident
-- What a turn of a session begins with, but for its messages; the blocks are a JSON list of rows as in ``blocks``.
SELECT o.scope, s.session, s.last_seq, s.window_start, s.summary, s.summarised_to,
    (SELECT json_group_array(json_array(b.label, b.agent, b.text, b.description, b.token_limit, b.read_only, b.version))
     FROM (SELECT * FROM blocks WHERE scope = o.scope AND agent IN ('', :agent) ORDER BY label, agent) AS b)
FROM scopes AS o LEFT JOIN sessions AS s ON s.scope = o.scope AND s.name = :session AND s.messages > 0
WHERE o.tenant = :tenant AND o.user = :user

-- query: sessions
-- A page of a scope's sessions, oldest first.
SELECT {session_columns} FROM sessions AS s WHERE s.scope = :scope AND s.session > :after AND s.messages > 0
ORDER BY s.session LIMIT :limit

-- query: count_sessions
-- How many sessions a scope has; of all scopes without one.
SELECT count(*) FROM sessions WHERE (:scope IS NULL OR scope = :scope) AND messages > 0

-- query: hold_session
-- Take a session, or keep it; no row if somebody else has it.
UPDATE sessions SET holder = :holder, lease_us = :lease_us
WHERE scope = :scope AND name = :name AND (holder IS NULL OR holder = :holder OR lease_us <= :now_us) RETURNING session

-- query: let_go_session
-- Give a session free.
UPDATE sessions SET holder = NULL WHERE scope = :scope AND name = :name AND holder = :holder

-- query: set_window
-- Move a session's window on; never back.
UPDATE sessions SET window_start = :window_start,
    summary = ifnull(:summary, summary), summarised_to = iif(:summary IS NULL, summarised_to, :window_start - 1)
WHERE scope = :scope AND name = :name AND messages > 0 AND window_start <= :window_start

-- query: set_summary
-- Replace a running summary by one that covers more, unless the old one or a message that is told of was lost meanwhile.
UPDATE sessions SET summary = :summary, summarised_to = :to
WHERE scope = :scope AND name = :name AND messages > 0 AND summary IS :instead_of AND summarised_to < :to
    AND :told = (SELECT count(*) FROM items WHERE scope = :scope AND id IN (SELECT value FROM json_each(:of)) AND kind = 0
                 AND status NOT IN (:retired, :both))

-- query: drop_summary
-- A running summary that may tell of a message which nobody is to see any more.
UPDATE sessions SET summary = NULL, summarised_to = 0
WHERE scope = :scope AND name = :name AND summary IS NOT NULL AND summarised_to >= :seq


-- == the journal ==

-- query: add_item
-- A message or record as search and filters see it; nothing if its id is taken.
INSERT INTO items (scope, item, id, kind, session, seq, role, speaker, agent, time_us, tokens, trust, status,
    confidence, importance, use_count, pinned, expires_us, tags, length, hash, version, until_us, learned_us, retired_us)
VALUES (:scope, :item, :id, :kind, :session, :seq, :role, :speaker, :agent, :time_us, :tokens, :trust, :status,
    :confidence, :importance, :use_count, :pinned, :expires_us, :tags, :length, :hash, :version,
    :until_us, :learned_us, :retired_us)
ON CONFLICT (scope, id) DO NOTHING

-- query: add_message
-- A message's text and what belongs to it.
INSERT INTO messages (scope, item, text, parts, tool_calls, tool_call_id, said_at, recorded_at, external_id, origin, consent, learnable,
    terms)
VALUES (:scope, :item, :text, :parts, :tool_calls, :tool_call_id, :said_at, :recorded_at, :external_id, :origin, :consent, :learnable,
    :terms)

-- query: add_external_id
-- The caller's own id of a message.
INSERT INTO external_ids (scope, session, external_id, item) VALUES (:scope, :session, :external_id, :item)

-- query: item_of_external_id
-- The message that has a caller's id.
SELECT item FROM external_ids WHERE scope = :scope AND session = :session AND external_id = :external_id

-- query: receipt
-- What an earlier append under this key answered.
SELECT fingerprint, answer FROM receipts WHERE scope = :scope AND key = :key

-- query: add_receipt
-- Remember the answer of an append under a key.
INSERT INTO receipts (scope, key, session, fingerprint, answer) VALUES (:scope, :key, :session, :fingerprint, :answer)

-- query: message
-- One message by its number.
SELECT {message_columns} FROM {message_tables} WHERE i.scope = :scope AND i.item = :item

-- query: message_of_id
-- One message by its id.
SELECT {message_columns} FROM {message_tables} WHERE i.scope = :scope AND i.id = :id AND i.kind = 0

-- query: scope_messages
-- A page of a scope's messages in the order they were recorded.
SELECT {message_columns} FROM {message_tables}
WHERE i.scope = :scope AND i.item > :after AND i.kind = 0 AND {filters} ORDER BY i.item LIMIT :limit

-- query: scope_messages_newest_first
-- The same from the end.
SELECT {message_columns} FROM {message_tables}
WHERE i.scope = :scope AND i.item < :before AND i.kind = 0 AND {filters} ORDER BY i.item DESC LIMIT :limit

-- query: session_messages
-- A page of a session's messages, by sequence number.
SELECT {message_columns} FROM {message_tables}
WHERE i.scope = :scope AND i.session = :session AND i.seq > :after AND i.kind = 0 AND {filters} ORDER BY i.seq LIMIT :limit

-- query: session_messages_newest_first
-- The same from the end.
SELECT {message_columns} FROM {message_tables}
WHERE i.scope = :scope AND i.session = :session AND i.seq < :before AND i.kind = 0 AND {filters} ORDER BY i.seq DESC LIMIT :limit

-- query: count_messages
-- How many messages a page is a part of.
SELECT count(*) FROM items AS i WHERE i.scope = :scope AND i.kind = 0 AND {filters}

-- query: count_session_messages
-- The same within a session.
SELECT count(*) FROM items AS i WHERE i.scope = :scope AND i.session = :session AND i.kind = 0 AND {filters}

-- query: unread
-- The messages of a session after the one that a reader came to, those that something hides too, and some before them.
SELECT ifnull(p.seq, 0), {message_columns}
FROM scopes AS o JOIN sessions AS s ON s.scope = o.scope AND s.name = :session
LEFT JOIN progress AS p ON p.scope = s.scope AND p.session = s.session AND p.name = :reader
JOIN items AS i INDEXED BY items_by_session ON i.scope = s.scope AND i.session = s.session AND i.seq > ifnull(p.seq, 0) - :context
JOIN messages AS m ON m.scope = i.scope AND m.item = i.item
WHERE o.tenant = :tenant AND o.user = :user AND i.kind = 0 AND i.status NOT IN (:retired, :both) ORDER BY i.seq LIMIT :limit

-- query: window
-- The messages that are in a session's window.
SELECT {message_columns} FROM {message_tables}
WHERE i.scope = :scope AND i.session = :session AND i.seq >= :window_start AND i.kind = 0 AND i.status NOT IN (:retired, :both)
ORDER BY i.seq


-- == records and blocks ==

-- query: item
-- A message's or record's number and kind by its id.
SELECT item, kind FROM items WHERE scope = :scope AND id = :id

-- query: some_items
-- Messages and records by their ids, each kind with the columns of its own.
SELECT i.kind, r.body, r.use_count, r.last_used_at, {message_columns}
FROM scopes AS o JOIN items AS i INDEXED BY items_by_id ON i.scope = o.scope
LEFT JOIN messages AS m ON m.scope = i.scope AND m.item = i.item LEFT JOIN records AS r ON r.scope = i.scope AND r.item = i.item
LEFT JOIN sessions AS s ON s.scope = i.scope AND s.session = i.session
WHERE o.tenant = :tenant AND o.user = :user AND i.id IN (SELECT value FROM json_each(:ids))

-- query: items_there
-- Which of some ids are those of messages or records.
SELECT id FROM items WHERE scope = :scope AND id IN (SELECT value FROM json_each(:ids))

-- query: item_hash
-- What a vector of an item must carry.
SELECT hash FROM items WHERE scope = :scope AND item = :item

-- query: record
-- One record by its number.
SELECT item, body, use_count, last_used_at FROM records WHERE scope = :scope AND item = :item

-- query: some_records
-- Records by their numbers, in the order they were added.
SELECT item, body, use_count, last_used_at FROM records WHERE scope = :scope AND item IN (SELECT value FROM json_each(:items))
ORDER BY item

-- query: records_behind
-- A page of a scope's records of whatever status, by their numbers.
SELECT item, body, use_count, last_used_at FROM records WHERE scope = :scope AND item > :after ORDER BY item LIMIT :limit

-- query: records
-- A page of a scope's records, oldest first.
SELECT r.item, r.body, r.use_count, r.last_used_at
FROM items AS i JOIN records AS r ON r.scope = i.scope AND r.item = i.item
WHERE i.scope = :scope AND i.item > :after AND i.kind <> 0 AND {filters} ORDER BY i.item LIMIT :limit

-- query: count_records
-- How many records a page is a part of.
SELECT count(*) FROM items AS i WHERE i.scope = :scope AND i.kind <> 0 AND {filters}

-- query: save_record
-- A record, new or changed.
INSERT INTO records (scope, item, body, use_count, last_used_at) VALUES (:scope, :item, :body, :use_count, :last_used_at)
ON CONFLICT (scope, item) DO UPDATE
SET body = excluded.body, use_count = excluded.use_count, last_used_at = excluded.last_used_at

-- query: save_item
-- A changed record as search and filters see it.
UPDATE items SET kind = :kind, session = :session, speaker = :speaker, agent = :agent, time_us = :time_us, tokens = :tokens,
    trust = :trust, status = :status, confidence = :confidence, importance = :importance, use_count = :use_count, pinned = :pinned,
    expires_us = :expires_us, tags = :tags, version = :version, until_us = :until_us, learned_us = :learned_us,
    retired_us = :retired_us
WHERE scope = :scope AND item = :item

-- query: save_item_index
-- How a changed text is found.
UPDATE items SET length = :length, hash = :hash WHERE scope = :scope AND item = :item

-- query: save_message_status
-- Take a message out of recall, hide it, or bring it back.
UPDATE items SET status = :status, version = :version WHERE scope = :scope AND item = :item

-- query: save_message_outdated
-- Mark the parts of a message in which something is said that no longer holds.
UPDATE messages SET outdated = :outdated WHERE scope = :scope AND item = :item

-- query: use_record
-- Count a use of a record.
UPDATE records SET use_count = use_count + 1, last_used_at = :at WHERE scope = :scope AND item = :item

-- query: use_item
-- The same where search sees it.
UPDATE items SET use_count = use_count + 1, version = :version WHERE scope = :scope AND item = :item

-- query: block
-- One block.
SELECT label, agent, text, description, token_limit, read_only, version FROM blocks
WHERE scope = :scope AND label = :label AND agent = :agent

-- query: blocks
-- Shared blocks and those of an agent.
SELECT label, agent, text, description, token_limit, read_only, version FROM blocks
WHERE scope = :scope AND agent IN ('', :agent) ORDER BY label, agent

-- query: every_block
-- Those of all agents.
SELECT label, agent, text, description, token_limit, read_only, version FROM blocks WHERE scope = :scope ORDER BY label, agent

-- query: save_block
-- A block, new or changed.
INSERT INTO blocks (scope, label, agent, text, description, token_limit, read_only, version)
VALUES (:scope, :label, :agent, :text, :description, :token_limit, :read_only, :version)
ON CONFLICT (scope, label, agent) DO UPDATE SET text = excluded.text, description = excluded.description,
    token_limit = excluded.token_limit, read_only = excluded.read_only, version = excluded.version

-- query: add_history
-- One change that was made.
INSERT INTO history (scope, target, entry, change, before, after, actor, reason, at)
VALUES (:scope, :target, :entry, :change, :before, :after, :actor, :reason, :at)

-- query: history
-- Every change of one target, oldest first.
SELECT {history_columns} FROM history WHERE scope = :scope AND target = :target ORDER BY entry

-- query: save_told
-- What a change tells, without what was erased.
UPDATE history SET before = :before, after = :after WHERE scope = :scope AND entry = :entry

-- query: entry
-- One change by its number.
SELECT {history_columns} FROM history WHERE scope = :scope AND entry = :entry

-- query: changes
-- A page of all changes of a scope, newest first.
SELECT {history_columns} FROM history WHERE scope = :scope AND entry < :before ORDER BY entry DESC LIMIT :limit

-- query: changes_since
-- A page of all changes of a scope, oldest first.
SELECT {history_columns} FROM history WHERE scope = :scope AND entry > :after ORDER BY entry LIMIT :limit

-- query: count_changes
-- How many changes there were.
SELECT count(*) FROM history WHERE scope = :scope

-- query: add_key
-- File a record under a key.
INSERT INTO record_keys (scope, key, item) VALUES (:scope, :key, :item)

-- query: drop_keys
-- Take a record out from under all its keys.
DELETE FROM record_keys WHERE scope = :scope AND item = :item

-- query: keyed
-- The records that are filed under a key.
SELECT item FROM record_keys WHERE scope = :scope AND key = :key

-- query: add_citation
-- A record cites a message.
INSERT INTO citations (scope, message, item) VALUES (:scope, :message, :item)

-- query: drop_citation
-- A record no longer cites a message.
DELETE FROM citations WHERE scope = :scope AND message = :message AND item = :item

-- query: citing
-- The records that cite one of some messages.
SELECT DISTINCT item FROM citations WHERE scope = :scope AND message IN (SELECT value FROM json_each(:messages))


-- query: add_mentions
-- A record names these; :names is a JSON list of pairs of key and name.
INSERT INTO entity_mentions (scope, entity, item, name)
SELECT :scope, json_extract(value, '$[0]'), :item, json_extract(value, '$[1]') FROM json_each(:names)

-- query: drop_mentions
-- Take a record out from under all names.
DELETE FROM entity_mentions WHERE scope = :scope AND item = :item

-- query: named
-- Names in records that hold or held: how many records, the first and last of their times, and the name as it was written last.
SELECT m.entity, substr(max(printf('%020d', m.item) || m.name), 21), count(*), min(i.time_us), max(i.time_us)
FROM entity_mentions AS m JOIN items AS i ON i.scope = m.scope AND i.item = m.item
WHERE m.scope = :scope AND i.status IN (0, 2) GROUP BY m.entity ORDER BY m.entity

-- query: named_among
-- The same of some names.
SELECT m.entity, substr(max(printf('%020d', m.item) || m.name), 21), count(*), min(i.time_us), max(i.time_us)
FROM entity_mentions AS m JOIN items AS i ON i.scope = m.scope AND i.item = m.item
WHERE m.scope = :scope AND m.entity IN (SELECT value FROM json_each(:keys)) AND i.status IN (0, 2) GROUP BY m.entity ORDER BY m.entity

-- query: naming
-- The records that name one of some entities and hold, held or began when it is asked for, the last that began first.
SELECT DISTINCT m.item, i.time_us FROM entity_mentions AS m JOIN items AS i ON i.scope = m.scope AND i.item = m.item
WHERE m.scope = :scope AND m.entity IN (SELECT value FROM json_each(:keys)) AND i.status IN (SELECT value FROM json_each(:statuses))
AND (:as_of IS NULL OR (i.time_us <= :as_of AND (i.until_us IS NULL OR i.until_us > :as_of)))
AND (:alive_at IS NULL OR i.expires_us IS NULL OR i.expires_us > :alive_at)
AND (:since IS NULL OR i.time_us >= :since) AND (:until IS NULL OR i.time_us < :until)
ORDER BY i.time_us DESC, m.item DESC LIMIT :limit

-- query: is_named
-- Whether any record, of whatever status, names it.
SELECT EXISTS (SELECT 1 FROM entity_mentions WHERE scope = :scope AND entity = :entity)

-- query: aliases_of_user
-- The same in one step, as a search asks for them.
SELECT a.alias, a.name, a.entity, a.entity_name FROM scopes AS o JOIN entity_aliases AS a ON a.scope = o.scope
WHERE o.tenant = :tenant AND o.user = :user ORDER BY a.alias

-- query: aliases
-- The merges that stand.
SELECT alias, name, entity, entity_name FROM entity_aliases WHERE scope = :scope ORDER BY alias

-- query: alias
-- What one name was merged into.
SELECT alias, name, entity, entity_name FROM entity_aliases WHERE scope = :scope AND alias = :key

-- query: add_alias
-- Merge a name into another one.
INSERT INTO entity_aliases (scope, alias, name, entity, entity_name) VALUES (:scope, :key, :name, :into, :into_name)

-- query: drop_alias
-- Split a name from the one it was merged into.
DELETE FROM entity_aliases WHERE scope = :scope AND alias = :key


-- == words ==

-- query: add_postings
-- Note items under a term.
INSERT INTO postings (scope, term, chunk, packed) VALUES (:scope, :term, :chunk, :packed)
ON CONFLICT (scope, term, chunk) DO UPDATE SET packed = CAST(packed || excluded.packed AS BLOB)

-- query: postings
-- The items that some terms stand in.
SELECT term, chunk, packed FROM postings WHERE scope = :scope AND term IN (SELECT value FROM json_each(:terms)) ORDER BY term, chunk

-- query: postings_chunk
-- Some of the items that a term stands in.
SELECT packed FROM postings WHERE scope = :scope AND term = :term AND chunk = :chunk

-- query: save_postings_chunk
-- The same without those that went.
UPDATE postings SET packed = :packed WHERE scope = :scope AND term = :term AND chunk = :chunk

-- query: drop_postings_chunk
-- The last of them went.
DELETE FROM postings WHERE scope = :scope AND term = :term AND chunk = :chunk

-- query: save_record_terms
-- The terms of a record.
UPDATE records SET terms = :terms WHERE scope = :scope AND item = :item

-- query: item_terms
-- The terms of an item, if it has any.
SELECT terms FROM messages WHERE scope = :scope AND item = :item AND terms IS NOT NULL
UNION ALL SELECT terms FROM records WHERE scope = :scope AND item = :item AND terms IS NOT NULL

-- query: tail
-- The terms of the items that are not in the postings yet.
SELECT item, terms FROM messages WHERE scope = :scope AND item > :folded AND terms IS NOT NULL
UNION ALL SELECT item, terms FROM records WHERE scope = :scope AND item > :folded AND terms IS NOT NULL
ORDER BY item


-- == search ==

-- fragment: tail_terms
CASE WHEN i.kind = 0 THEN (SELECT m.terms FROM messages AS m WHERE m.scope = i.scope AND m.item = i.item)
ELSE (SELECT r.terms FROM records AS r WHERE r.scope = i.scope AND r.item = i.item) END

-- query: columns
-- Items that were written after a version, as search sees them, and the terms of those that are not in the postings yet.
SELECT {columns}, iif(i.item > :folded, {tail_terms}, NULL) FROM items AS i WHERE i.scope = :scope AND i.version > :version ORDER BY i.item

-- query: news
-- What a search begins with: the scope's row, an embedder's, and some of the items that were written after a version, with their vectors.
SELECT {scope_columns}, e.embedder, e.dimension, v.vector, {columns}, iif(i.item > o.folded, {tail_terms}, NULL)
FROM scopes AS o LEFT JOIN embedders AS e ON e.id = :embedder
LEFT JOIN items AS i INDEXED BY items_by_version ON i.scope = o.scope AND i.version > :version
LEFT JOIN vectors AS v ON v.scope = i.scope AND v.embedder = e.embedder AND v.item = i.item
WHERE o.tenant = :tenant AND o.user = :user ORDER BY i.item LIMIT :limit

-- query: all_columns
-- All items, as search sees them.
SELECT {columns} FROM items AS i WHERE i.scope = :scope ORDER BY i.item

-- query: spans
-- Until when items written after a version hold, since when they are known, and until when. Without the index: most are asked for.
SELECT i.item, ifnull(i.until_us, 9223372036854775807), i.learned_us, ifnull(i.retired_us, 9223372036854775807)
FROM items AS i WHERE i.scope = :scope AND +i.version > :version ORDER BY i.item

-- query: changed_items
-- Items that were written after a version.
SELECT item FROM items WHERE scope = :scope AND version > :version ORDER BY item

-- query: scope_vectors
-- All vectors of a scope.
SELECT item, vector FROM vectors WHERE scope = :scope AND embedder = :embedder AND item > :after ORDER BY item LIMIT :limit

-- query: some_vectors
-- The vectors of some items.
SELECT item, vector FROM vectors WHERE scope = :scope AND embedder = :embedder AND item IN (SELECT value FROM json_each(:items))
ORDER BY item


-- == vectors ==

-- query: embedder
-- An embedder's number and dimension.
SELECT embedder, dimension FROM embedders WHERE id = :id

-- query: add_embedder
-- A new embedder.
INSERT INTO embedders (id, dimension) VALUES (:id, :dimension) RETURNING embedder

-- query: vector_target
-- The item that a vector is for, if its text is still the same.
SELECT item FROM items WHERE scope = :scope AND id = :id AND hash = :hash AND hash <> ''

-- query: save_vector
-- A vector, new or made again.
INSERT INTO vectors (scope, embedder, item, vector) VALUES (:scope, :embedder, :item, :vector)
ON CONFLICT (scope, embedder, item) DO UPDATE SET vector = excluded.vector

-- query: touch_item
-- Tell caches to read an item again.
UPDATE items SET version = :version WHERE scope = :scope AND item = :item

-- query: drop_item_vectors
-- The vectors of an item whose text changes.
DELETE FROM vectors WHERE scope = :scope AND item = :item AND embedder IN (SELECT embedder FROM embedders)

-- query: unembedded
-- A page of a scope's items that have no vector of an embedder.
SELECT i.item, i.kind, i.hash FROM items AS i
WHERE i.scope = :scope AND i.item > :after AND i.hash <> '' AND NOT EXISTS (
    SELECT 1 FROM vectors AS v WHERE v.scope = i.scope AND v.embedder = :embedder AND v.item = i.item)
ORDER BY i.item LIMIT :limit

-- query: count_unembedded
-- How many items have no vector of an embedder, by scope.
SELECT i.scope, count(*) FROM items AS i
WHERE (:scope IS NULL OR i.scope = :scope) AND i.hash <> '' AND NOT EXISTS (
    SELECT 1 FROM vectors AS v WHERE v.scope = i.scope AND v.embedder = :embedder AND v.item = i.item)
GROUP BY i.scope ORDER BY i.scope

-- query: scopes_with_other_vectors
-- Caches of these scopes start anew.
UPDATE scopes SET version = version + 1, epoch = epoch + 1
WHERE scope IN (SELECT scope FROM vectors WHERE embedder IN (SELECT embedder FROM embedders WHERE id <> :keep))

-- query: drop_other_vectors
-- Remove the vectors of all embedders but one.
DELETE FROM vectors WHERE embedder IN (SELECT embedder FROM embedders WHERE id <> :keep)

-- query: drop_other_embedders
-- Forget all embedders but one.
DELETE FROM embedders WHERE id <> :keep


-- == jobs ==

-- query: add_jobs
-- Work to be done later; of a named one that waits already there is no second. They come as JSON.
INSERT INTO jobs (scope, kind, payload, state, created_us, ready_us, once)
SELECT :scope, json_extract(j.value, '$.kind'), json_extract(j.value, '$.payload'), 'queued', :created_us,
    json_extract(j.value, '$.ready_us'), json_extract(j.value, '$.once')
FROM json_each(:jobs) AS j
WHERE NOT EXISTS (SELECT 1 FROM jobs AS w WHERE w.scope = :scope AND w.kind = json_extract(j.value, '$.kind')
    AND w.once = json_extract(j.value, '$.once') AND w.once IS NOT NULL AND w.state = 'queued')
ORDER BY j.key

-- query: add_job
-- Work to be done later.
INSERT INTO jobs (scope, kind, payload, state, created_us, ready_us, once)
VALUES (:scope, :kind, :payload, 'queued', :created_us, :ready_us, :once)

-- query: waiting_job
-- The job of this kind and name that waits.
SELECT job FROM jobs WHERE scope = :scope AND kind = :kind AND once = :once AND once IS NOT NULL AND state = 'queued'

-- query: claim
-- Take ready jobs, oldest first.
UPDATE jobs SET state = 'running', attempts = attempts + 1, lease_us = :lease_us
WHERE job IN (
    SELECT job FROM jobs INDEXED BY jobs_by_state
    WHERE state IN ('queued', 'running') AND kind IN (SELECT value FROM json_each(:kinds))
    AND (:tenant IS NULL OR scope = (SELECT o.scope FROM scopes AS o WHERE o.tenant = :tenant AND o.user = :user))
    AND ((state = 'queued' AND ready_us <= :ready_us) OR (state = 'running' AND lease_us <= :now_us))
    ORDER BY job LIMIT :limit)
RETURNING job, (SELECT o.tenant FROM scopes AS o WHERE o.scope = jobs.scope), (SELECT o.user FROM scopes AS o WHERE o.scope = jobs.scope),
    kind, payload, state, attempts, ready_us, created_us, error

-- query: renew
-- Keep a claimed job for longer.
UPDATE jobs SET lease_us = :lease_us WHERE job = :job AND state = 'running'

-- query: job
-- One job.
SELECT {job_columns} FROM jobs AS j JOIN scopes AS o ON o.scope = j.scope WHERE j.job = :job

-- query: complete
-- A job is done.
DELETE FROM jobs WHERE job = :job

-- query: fail
-- Put a job back, or aside.
UPDATE jobs SET state = :state, error = :error, ready_us = :ready_us, lease_us = 0 WHERE job = :job

-- query: yield_job
-- A job that is to be put back goes if another of its kind and name waits already. ``state``: the one it has then; null: any.
DELETE FROM jobs WHERE job = :job AND (:state IS NULL OR state = :state) AND once IS NOT NULL AND EXISTS (
    SELECT 1 FROM jobs AS twin WHERE twin.scope = jobs.scope AND twin.kind = jobs.kind AND twin.once = jobs.once
    AND twin.once IS NOT NULL AND twin.state = 'queued' AND twin.job <> jobs.job)

-- query: release
-- Put a claimed job back as if it had not been claimed.
UPDATE jobs SET state = 'queued', attempts = attempts - 1, ready_us = :ready_us, lease_us = 0 WHERE job = :job AND state = 'running'

-- query: revive
-- Queue a dead job again.
UPDATE jobs SET state = 'queued', attempts = 0, error = NULL, ready_us = :ready_us WHERE job = :job AND state = 'dead'

-- query: jobs
-- A page of jobs, oldest first.
SELECT {job_columns} FROM jobs AS j JOIN scopes AS o ON o.scope = j.scope
WHERE (:scope IS NULL OR j.scope = :scope) AND (:state IS NULL OR j.state = :state) AND j.job > :after ORDER BY j.job LIMIT :limit

-- query: waiting_since
-- Since when the job of these kinds waits that could be claimed first.
SELECT min(max(ready_us, created_us)) FROM jobs
WHERE state = 'queued' AND ready_us <= :now_us AND kind IN (SELECT value FROM json_each(:kinds))

-- query: count_jobs
-- Jobs by state.
SELECT state, count(*) FROM jobs WHERE (:scope IS NULL OR scope = :scope) GROUP BY state

-- query: scope_jobs
-- What a scope's jobs are about.
SELECT job, payload FROM jobs WHERE scope = :scope

-- query: save_payload
-- A job that has less to do.
UPDATE jobs SET payload = :payload WHERE job = :job


-- == task state, operations log ==

-- query: save_task
-- Where a task stands.
INSERT INTO tasks (scope, key, value, step, updated_at, expires_at)
VALUES (:scope, :key, :value, :step, :updated_at, :expires_at)
ON CONFLICT (scope, key) DO UPDATE SET value = excluded.value, step = excluded.step, updated_at = excluded.updated_at,
    expires_at = excluded.expires_at

-- query: task
-- Where a task stands.
SELECT key, value, step, updated_at, expires_at FROM tasks WHERE scope = :scope AND key = :key

-- query: tasks
-- Where the tasks stand whose key begins so.
SELECT key, value, step, updated_at, expires_at FROM tasks
WHERE scope = :scope AND substr(key, 1, length(:prefix)) = :prefix ORDER BY key

-- query: drop_task
-- Forget a task.
DELETE FROM tasks WHERE scope = :scope AND key = :key

-- query: add_operation
-- One line of the operations log.
INSERT INTO operations (scope, entry, kind, parameters, result, at, session, items)
VALUES (:scope, :entry, :kind, :parameters, :result, :at, :session, :items)

-- query: prune_operations
-- The log without lines that are too old, or of which enough newer ones are there.
DELETE FROM operations WHERE scope = :scope AND (
    julianday(at) < julianday(:before)
    OR entry < (SELECT entry FROM operations WHERE scope = :scope ORDER BY entry DESC LIMIT 1 OFFSET :keep))

-- query: operations
-- A page of the operations log, newest first.
SELECT entry, kind, parameters, result, at, session, items FROM operations
WHERE scope = :scope AND entry < :before ORDER BY entry DESC LIMIT :limit

-- query: count_operations
-- How long the operations log is.
SELECT count(*) FROM operations WHERE scope = :scope


-- == progress, what models cost ==

-- query: save_progress
-- How far a reader has come; never back.
INSERT INTO progress (scope, session, name, seq) VALUES (:scope, :session, :name, :seq)
ON CONFLICT (scope, session, name) DO UPDATE SET seq = max(seq, excluded.seq)

-- query: progress
-- How far each reader has come in a session.
SELECT name, seq FROM progress WHERE scope = :scope AND session = :session ORDER BY name

-- query: add_spent
-- Add to a day's sum, and give it.
INSERT INTO spent (scope, day, purpose, calls, input_tokens, cached_tokens, output_tokens)
VALUES (:scope, :day, :purpose, :calls, :input_tokens, :cached_tokens, :output_tokens)
ON CONFLICT (scope, day, purpose) DO UPDATE SET calls = calls + excluded.calls, input_tokens = input_tokens + excluded.input_tokens,
    cached_tokens = cached_tokens + excluded.cached_tokens, output_tokens = output_tokens + excluded.output_tokens
RETURNING calls, input_tokens, cached_tokens, output_tokens

-- query: spent
-- A day's sum.
SELECT calls, input_tokens, cached_tokens, output_tokens FROM spent WHERE scope = :scope AND day = :day AND purpose = :purpose

-- query: costs
-- What was spent from a day to a day, both included.
SELECT e.day, s.tenant, s.user, e.purpose, e.calls, e.input_tokens, e.cached_tokens, e.output_tokens
FROM spent e JOIN scopes s ON s.scope = e.scope
WHERE (:scope IS NULL OR e.scope = :scope) AND e.day BETWEEN :since AND :until ORDER BY e.day, e.scope, e.purpose


-- == tombstones ==

-- query: tombstone_key
-- The key of the hashes.
SELECT value FROM keys WHERE name = 'tombstones'

-- query: tombstone_key_if_any
-- The same if there is any tombstone: most files have none.
SELECT value FROM keys WHERE name = 'tombstones' AND EXISTS (SELECT 1 FROM tombstones)

-- query: tombstone
-- When what a hash stands for was erased.
SELECT erased_us FROM tombstones WHERE mark = :mark

-- query: bury
-- Leave a hash, or make the time of one later.
INSERT INTO tombstones (mark, erased_us) VALUES (:mark, :erased_us)
ON CONFLICT (mark) DO UPDATE SET erased_us = excluded.erased_us WHERE excluded.erased_us > erased_us


-- == keys and replies of a server ==

-- query: add_api_key
-- Nothing, if its id or secret is taken.
INSERT OR IGNORE INTO api_keys (id, hash, name, tenant, user, acts_as, rights, per_minute, created_at, expires_at)
VALUES (:id, :hash, :name, :tenant, :user, :acts_as, :rights, :per_minute, :created_at, :expires_at)

-- query: api_keys
-- All of them, oldest first.
SELECT id, hash, name, tenant, user, acts_as, rights, per_minute, created_at, expires_at FROM api_keys ORDER BY created_at, id

-- query: api_key
-- By the hash of its secret.
SELECT id, hash, name, tenant, user, acts_as, rights, per_minute, created_at, expires_at FROM api_keys WHERE hash = :hash

-- query: drop_api_key
-- Revoke one.
DELETE FROM api_keys WHERE id = :id

-- query: reply
-- What was answered under a key, or that it is being done, if that still counts.
SELECT key, fingerprint, status, body, expires_us FROM replies WHERE scope = :scope AND key = :key AND expires_us > :now_us

-- query: keep_reply
-- The first one stays, unless it is only being done.
INSERT INTO replies (scope, key, fingerprint, status, body, expires_us)
VALUES (:scope, :key, :fingerprint, :status, :body, :expires_us)
ON CONFLICT (scope, key) DO UPDATE SET fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
    expires_us = excluded.expires_us
WHERE replies.status = 0 AND (excluded.status > 0 OR excluded.body = replies.body)

-- query: drop_oldest_replies
-- Those of a scope that are too many, but for what is being done.
DELETE FROM replies WHERE scope = :scope AND status > 0 AND key NOT IN (
    SELECT key FROM replies WHERE scope = :scope AND status > 0 ORDER BY expires_us DESC, key LIMIT :most)

-- query: drop_expired_replies
-- Of all scopes.
DELETE FROM replies WHERE expires_us <= :now_us
