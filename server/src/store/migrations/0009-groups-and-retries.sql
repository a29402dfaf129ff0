-- Lists that are shown as one carry the same word.
ALTER TABLE mxproof.lists ADD COLUMN group_word text;
CREATE INDEX lists_group ON mxproof.lists (account_id, group_word, id) WHERE group_word IS NOT NULL;

-- Of a retry: the first list, also where a retry was retried. No foreign key: a retry outlives it.
ALTER TABLE mxproof.lists ADD COLUMN retry_of bigint;
CREATE INDEX lists_retries ON mxproof.lists (retry_of, id) WHERE retry_of IS NOT NULL;
