-- Statements that count and erase; the same form as queries.sql.

-- == the whole ==

-- query: count_items
-- Messages and records, of a scope or of all.
SELECT ifnull(sum(kind = 0), 0), ifnull(sum(kind <> 0), 0) FROM items WHERE (:scope IS NULL OR scope = :scope)

-- query: count_blocks
-- Blocks, of a scope or of all.
SELECT count(*) FROM blocks WHERE (:scope IS NULL OR scope = :scope)

-- query: count_vectors
-- Vectors by embedder, of a scope or of all.
SELECT e.id, count(*) FROM vectors AS v JOIN embedders AS e ON e.embedder = v.embedder
WHERE (:scope IS NULL OR v.scope = :scope) GROUP BY e.id ORDER BY e.id

-- query: count_postings
-- How many pairs of term and item stand in the postings of a scope.
SELECT ifnull(sum(length(packed)) / 4, 0) FROM postings WHERE scope = :scope

-- query: count_scope_rows
-- The rows of a scope that have no text in the index.
SELECT (SELECT count(*) FROM vectors WHERE scope = :scope), (SELECT count(*) FROM blocks WHERE scope = :scope),
    (SELECT count(*) FROM history WHERE scope = :scope), (SELECT count(*) FROM jobs WHERE scope = :scope),
    (SELECT count(*) FROM tasks WHERE scope = :scope), (SELECT count(*) FROM operations WHERE scope = :scope),
    (SELECT count(summary) FROM sessions WHERE scope = :scope)


-- == erase ==

-- query: mark_scrubbed
-- A commit that makes every connection read its pages anew.
INSERT INTO scrubs (scrub, count) VALUES (1, 1) ON CONFLICT (scrub) DO UPDATE SET count = count + 1

-- query: session_items
-- What belongs to a session: its messages, and the records that name it.
SELECT id FROM items WHERE scope = :scope AND session = :session

-- query: erase_item
-- A message or record.
DELETE FROM items WHERE scope = :scope AND item = :item

-- query: erase_message
-- A message's text.
DELETE FROM messages WHERE scope = :scope AND item = :item

-- query: erase_record
-- A record's text.
DELETE FROM records WHERE scope = :scope AND item = :item

-- query: erase_history
-- Every change of one target.
DELETE FROM history WHERE scope = :scope AND target = :target

-- query: erase_external_id
-- The caller's own id of a message.
DELETE FROM external_ids WHERE scope = :scope AND session = :session AND external_id = :external_id

-- query: doomed_item
-- Where an item is that is to be erased.
SELECT item, kind, session FROM items WHERE scope = :scope AND id = :id

-- query: all_messages
-- All of a scope.
SELECT {message_columns} FROM {message_tables} WHERE i.scope = :scope AND i.kind = 0

-- query: all_records
-- All of a scope.
SELECT item, body, use_count, last_used_at FROM records WHERE scope = :scope

-- query: shrink_session
-- One message less.
UPDATE sessions SET messages = messages - 1 WHERE scope = :scope AND session = :session

-- query: erase_summary
-- The running summary of a session.
UPDATE sessions SET summary = NULL, summarised_to = 0 WHERE scope = :scope AND session = :session AND summary IS NOT NULL

-- query: erase_session
-- A session's own row.
DELETE FROM sessions WHERE scope = :scope AND session = :session

-- query: empty_sessions
-- Sessions that have lost all their messages, and that no record and no reader names.
SELECT session FROM sessions WHERE scope = :scope AND messages = 0
AND NOT EXISTS (SELECT 1 FROM items WHERE items.scope = sessions.scope AND items.session = sessions.session)
AND NOT EXISTS (SELECT 1 FROM progress WHERE progress.scope = sessions.scope AND progress.session = sessions.session)

-- query: erase_progress
-- How far readers had come in a session that has no messages any more.
DELETE FROM progress WHERE scope = :scope AND session = :session
AND (SELECT messages FROM sessions WHERE scope = :scope AND session = :session) = 0

-- query: session_receipts
-- Answers of appends to a session.
SELECT key, fingerprint, answer FROM receipts WHERE scope = :scope AND session = :session

-- query: erase_receipt
-- The answer of one append.
DELETE FROM receipts WHERE scope = :scope AND key = :key

-- query: scope_receipts
-- What appends to a scope were known by.
SELECT key, fingerprint FROM receipts WHERE scope = :scope

-- query: scope_replies
-- What requests that were answered are known by.
SELECT key, fingerprint FROM replies WHERE scope = :scope AND status > 0

-- query: all_operations
-- The operations log whole.
SELECT entry, parameters, result, session, items FROM operations WHERE scope = :scope

-- query: erase_operation
-- One line of the operations log.
DELETE FROM operations WHERE scope = :scope AND entry = :entry

-- query: erase_scope_sessions
-- All of a scope.
DELETE FROM sessions WHERE scope = :scope

-- query: erase_scope_items
-- All of a scope.
DELETE FROM items WHERE scope = :scope

-- query: erase_scope_messages
-- All of a scope.
DELETE FROM messages WHERE scope = :scope

-- query: erase_scope_external_ids
-- All of a scope.
DELETE FROM external_ids WHERE scope = :scope

-- query: erase_scope_receipts
-- All of a scope.
DELETE FROM receipts WHERE scope = :scope

-- query: erase_scope_records
-- All of a scope.
DELETE FROM records WHERE scope = :scope

-- query: erase_scope_blocks
-- All of a scope.
DELETE FROM blocks WHERE scope = :scope

-- query: erase_scope_history
-- All of a scope.
DELETE FROM history WHERE scope = :scope

-- query: erase_scope_postings
-- All of a scope.
DELETE FROM postings WHERE scope = :scope

-- query: erase_scope_vectors
-- All of a scope.
DELETE FROM vectors WHERE scope = :scope

-- query: erase_scope_jobs
-- All of a scope.
DELETE FROM jobs WHERE scope = :scope

-- query: erase_scope_tasks
-- All of a scope.
DELETE FROM tasks WHERE scope = :scope

-- query: erase_scope_operations
-- All of a scope.
DELETE FROM operations WHERE scope = :scope

-- query: erase_scope_record_keys
-- All of a scope.
DELETE FROM record_keys WHERE scope = :scope

-- query: erase_scope_citations
-- All of a scope.
DELETE FROM citations WHERE scope = :scope

-- query: erase_scope_mentions
-- All of a scope.
DELETE FROM entity_mentions WHERE scope = :scope

-- query: erase_scope_aliases
-- All of a scope.
DELETE FROM entity_aliases WHERE scope = :scope

-- query: entity_history
-- What was done to names: the range of all targets that begin with "entity:".
SELECT entry, target, before, after FROM history WHERE scope = :scope AND target >= 'entity:' AND target < 'entity;'

-- query: erase_entry
-- One change of the history.
DELETE FROM history WHERE scope = :scope AND entry = :entry

-- query: erase_scope_progress
-- All of a scope.
DELETE FROM progress WHERE scope = :scope

-- query: erase_scope_replies
-- All of a scope.
DELETE FROM replies WHERE scope = :scope

-- query: erase_scope_spent
-- All of a scope.
DELETE FROM spent WHERE scope = :scope

-- query: erase_scopes
-- The scope itself.
DELETE FROM scopes WHERE scope = :scope
