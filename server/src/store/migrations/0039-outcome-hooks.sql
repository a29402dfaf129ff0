-- Where sending services send their own events (features/outcomes).

CREATE TABLE mxproof.outcome_hooks (
  id            bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id    bigint NOT NULL REFERENCES mxproof.accounts ON DELETE CASCADE,
  service       text NOT NULL,
  -- SHA-256 of what stands in its URL.
  token_hash    bytea NOT NULL UNIQUE,
  -- Sealed as the secrets of accounts; null: it has none. Empty: it was lost, and nothing is taken.
  signing_key   bytea,
  -- Of Amazon SNS alone.
  topic         text,
  created_at    timestamptz NOT NULL DEFAULT now(),
  -- The last request that was proven, to the minute.
  last_event_at timestamptz
);
CREATE INDEX outcome_hooks_account ON mxproof.outcome_hooks (account_id, id);

-- Of signatures that do not cover the body: which body came with each.
CREATE TABLE mxproof.outcome_hook_tokens (
  hook_id    bigint NOT NULL REFERENCES mxproof.outcome_hooks ON DELETE CASCADE,
  token_hash bytea NOT NULL,
  body_hash  bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (hook_id, token_hash)
);
CREATE INDEX outcome_hook_tokens_age ON mxproof.outcome_hook_tokens USING brin (created_at);
