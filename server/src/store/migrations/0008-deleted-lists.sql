-- A list deleted with an undo belongs to no account until it is brought back or removed: whatever reads the lists and
-- callbacks of an account passes it by.
ALTER TABLE mxproof.lists
  ALTER COLUMN account_id DROP NOT NULL,
  -- Whose it was, and is again when it is brought back.
  ADD COLUMN deleted_of bigint REFERENCES mxproof.accounts,
  ADD COLUMN remove_at  timestamptz,
  ADD CHECK (num_nulls(account_id, deleted_of) = 1),
  ADD CHECK (num_nulls(account_id, remove_at) = 1),
  ADD CHECK (account_id IS NOT NULL OR finished_at IS NOT NULL);
ALTER TABLE mxproof.callbacks ALTER COLUMN account_id DROP NOT NULL;
CREATE INDEX lists_removed ON mxproof.lists (remove_at) WHERE remove_at IS NOT NULL;
