-- What a key may do: full, read, verify. A word that a node does not know admits to nothing.
ALTER TABLE mxproof.api_keys ADD COLUMN access text NOT NULL DEFAULT 'full';

-- The key that made a list, or that the browser was signed in with; null: made before, or signed in with a link. No foreign
-- key: keys stay when they are revoked, and a list is no reason to lock one.
ALTER TABLE mxproof.lists ADD COLUMN key_id bigint;

-- Whether the id that a callback carries says that its list is a test list. It stays as it is for all attempts.
ALTER TABLE mxproof.callbacks ADD COLUMN says_test boolean NOT NULL DEFAULT false;
