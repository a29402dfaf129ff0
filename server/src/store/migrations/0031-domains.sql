-- Which domains accept every recipient, as an account's own checks have found (store/catch-alls.ts).
CREATE TABLE mxproof.catch_alls (
  account_id   bigint NOT NULL REFERENCES mxproof.accounts ON DELETE CASCADE,
  -- In ASCII, lower case.
  domain       text NOT NULL,
  is_catch_all boolean NOT NULL,
  -- Whose results say so, for the first time or again.
  list_id      bigint NOT NULL REFERENCES mxproof.lists ON DELETE CASCADE,
  found_at     timestamptz NOT NULL,
  PRIMARY KEY (account_id, domain)
);
CREATE INDEX catch_alls_list ON mxproof.catch_alls (list_id);
CREATE INDEX catch_alls_old ON mxproof.catch_alls (found_at);
