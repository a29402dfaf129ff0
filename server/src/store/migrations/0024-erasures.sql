-- Addresses that were erased (flow/erase-address.ts): a hash of each, and when.

-- The key of the hashes is random and their own; made here, so that every backup holds it. A migration has no secret key to
-- seal it with: whatever opens the store with one next does (store/erasure-key.ts).
CREATE TABLE mxproof.erasure_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  plain   bytea,
  sealed  bytea,
  CHECK (num_nulls(plain, sealed) = 1)
);
INSERT INTO mxproof.erasure_key (plain)
VALUES (sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())));

CREATE TABLE mxproof.erasures (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- Whose lists, those of its test twin included; null: everyone's.
  account_id bigint REFERENCES mxproof.accounts,
  -- Tells the key of the hash apart from others.
  key_id     text NOT NULL,
  hash       bytea NOT NULL,
  -- Of whole milliseconds, as in the file `erasures`.
  asked_at   timestamptz NOT NULL DEFAULT date_trunc('milliseconds', now()),
  done_at    timestamptz,
  -- The address, sealed with the secret key, until it is erased.
  sealed     bytea,
  -- Lists up to this one were looked through, and those up to that one are to be.
  after_list bigint NOT NULL DEFAULT 0,
  up_to_list bigint NOT NULL,
  lists      bigint NOT NULL DEFAULT 0,
  rows       bigint NOT NULL DEFAULT 0,
  -- By whoever is at it; null: nobody yet.
  renewed_at timestamptz,
  CHECK (num_nulls(done_at, sealed) = 1)
);
CREATE UNIQUE INDEX erasures_running ON mxproof.erasures (coalesce(account_id, 0), hash) WHERE done_at IS NULL;
CREATE INDEX erasures_asked ON mxproof.erasures (asked_at);

-- Positions whose address was erased: what a node still holds of them is not stored any more.
ALTER TABLE mxproof.chunks ADD COLUMN erased smallint[];
