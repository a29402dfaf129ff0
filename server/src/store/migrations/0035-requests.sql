-- What accounts have changed, and what they were refused (features/requests). No foreign key: a row is no reason to lock an account.
CREATE TABLE mxproof.requests (
  account_id  bigint NOT NULL,
  -- When it came.
  at          timestamptz NOT NULL,
  -- X-Request-Id.
  id          uuid NOT NULL,
  method      text NOT NULL,
  -- The pattern, never the path; null: there is no such path.
  route       text,
  status      smallint NOT NULL,
  -- MXProof-Error; null: not refused.
  error       text,
  duration_ms integer NOT NULL,
  -- Null: a browser that was signed in with a link.
  key_id      bigint,
  -- The User-Agent, without addresses; empty: none was sent.
  client      text NOT NULL,
  PRIMARY KEY (account_id, at, id)
);
CREATE INDEX requests_old ON mxproof.requests (at);
-- One 429 a key and minute, whichever nodes answered them.
CREATE UNIQUE INDEX requests_limited
  ON mxproof.requests (account_id, coalesce(key_id, 0), date_trunc('minute', at AT TIME ZONE 'UTC')) WHERE status = 429;
