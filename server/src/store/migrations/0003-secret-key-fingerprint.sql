-- Which key the webhook secrets are sealed with: whoever has another one is told so before it seals anything.
CREATE TABLE mxproof.secret_key (
  is_only     boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  fingerprint bytea NOT NULL
);

-- GET /v1/lists shows lists without single checks, of which an account may have millions.
CREATE INDEX lists_not_single ON mxproof.lists (account_id, id DESC) WHERE NOT single;
