-- Browsers that are signed in to the operator's own pages (store/operator-sign-in.ts). In tables of their own: what looks up
-- an account's sessions and links cannot find these, nor the other way round. Only a hash of what cookie and page hold.
CREATE TABLE mxproof.operator_sessions (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  hash       bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Links that sign an operator's browser in, once; gone when redeemed.
CREATE TABLE mxproof.operator_links (
  hash       bytea PRIMARY KEY,
  created_at timestamptz NOT NULL DEFAULT now()
);
