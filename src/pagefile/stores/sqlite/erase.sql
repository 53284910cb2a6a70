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
    (SELECT count(*) FROM tasks WHERE scope = :scope), (SELECT count(*) FROM operations WHERE scope = :scope)


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

-- query: item_facts
-- What is needed to take an item out of everything.
SELECT i.item, i.kind, i.session, i.seq, m.external_id FROM items AS i
LEFT JOIN messages AS m ON m.scope = i.scope AND m.item = i.item WHERE i.scope = :scope AND i.id = :id

-- query: shrink_session
-- One message less; a summary that may tell of it goes too.
UPDATE sessions SET messages = messages - 1, summary = iif(:seq < window_start, NULL, summary)
WHERE scope = :scope AND session = :session

-- query: erase_session
-- A session's own row.
DELETE FROM sessions WHERE scope = :scope AND session = :session

-- query: empty_sessions
-- Sessions that have lost all their messages and that no record names.
SELECT session FROM sessions WHERE scope = :scope AND messages = 0 AND NOT EXISTS (
    SELECT 1 FROM items WHERE items.scope = sessions.scope AND items.session = sessions.session)

-- query: session_receipts
-- Answers of appends to a session.
SELECT key, answer FROM receipts WHERE scope = :scope AND session = :session

-- query: erase_receipt
-- The answer of one append.
DELETE FROM receipts WHERE scope = :scope AND key = :key

-- query: all_operations
-- The operations log whole.
SELECT entry, parameters, result FROM operations WHERE scope = :scope

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

-- query: erase_scope_item_terms
-- All of a scope.
DELETE FROM item_terms WHERE scope = :scope

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

-- query: erase_scopes
-- The scope itself.
DELETE FROM scopes WHERE scope = :scope
