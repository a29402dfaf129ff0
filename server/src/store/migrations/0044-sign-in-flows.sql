-- A sign-in with OpenID Connect has two steps after the provider has sent the browser back: its answer is looked at once, and the
-- page that the browser then has begins the session with a token of its own (features/sign-in).
ALTER TABLE mxproof.openid_flows
  -- To the operator's pages.
  ADD COLUMN for_operators boolean NOT NULL DEFAULT false,
  -- When the browser came back; null: it has not yet. It comes back once.
  ADD COLUMN returned_at timestamptz,
  -- Of the page's token; null: the provider's answer proved nothing yet.
  ADD COLUMN page_hash bytea,
  -- What the answer proved: issuer, subject, and of their claims what is asked for.
  ADD COLUMN proved jsonb;
CREATE INDEX openid_flows_created ON mxproof.openid_flows (created_at);

-- Who it is by the provider; null: signed in with a key or a link.
ALTER TABLE mxproof.operator_sessions ADD COLUMN subject text;
