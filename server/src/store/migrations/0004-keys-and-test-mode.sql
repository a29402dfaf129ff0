-- What a key may do, until when and from where. Keys made before are the operator's: they may manage keys.
ALTER TABLE mxproof.api_keys
  ADD COLUMN test         boolean NOT NULL GENERATED ALWAYS AS (starts_with(prefix, 'mx_test_')) STORED,
  ADD COLUMN manage       boolean NOT NULL DEFAULT true,
  ADD COLUMN expires_at   timestamptz,
  -- Addresses and CIDR ranges as they were given; null: from anywhere.
  ADD COLUMN allowed_ips  text[] CHECK (cardinality(allowed_ips) > 0),
  -- At most a minute behind: not every request writes.
  ADD COLUMN last_used_at timestamptz;

ALTER TABLE mxproof.accounts
  -- Test keys belong to a twin of their account: lists, credits, ledger and idempotency of test mode are the twin's own.
  ADD COLUMN test_of bigint REFERENCES mxproof.accounts,
  -- Signs callbacks beside the new one until then, so that receivers can change over.
  ADD COLUMN previous_webhook_secret       bytea,
  ADD COLUMN previous_webhook_secret_until timestamptz;
CREATE UNIQUE INDEX accounts_test_of ON mxproof.accounts (test_of) WHERE test_of IS NOT NULL;

-- Attempts at callbacks of test lists, for whoever listens to them; kept for an hour, so that a listener whose
-- connection broke misses nothing. No list: an attempt outlives a list that is deleted.
CREATE TABLE mxproof.shown_callbacks (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES mxproof.accounts,
  list_id    bigint NOT NULL,
  url        text NOT NULL,
  -- An object in JSON, in the order in which they are sent.
  headers    text NOT NULL,
  body       text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX shown_callbacks_account ON mxproof.shown_callbacks (account_id, id);
