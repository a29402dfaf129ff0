-- A page of an account's lists by status is read out of the index alone, however many other lists it has.
CREATE INDEX lists_status ON mxproof.lists (account_id, status, single, id DESC);

-- Keys with limits of their own raise those of their account: the few that operators have given any.
CREATE INDEX api_keys_own_limits ON mxproof.api_keys (account_id)
  WHERE rate_requests IS NOT NULL OR rate_addresses IS NOT NULL;

-- What the test lists of a test account take (rules/test-bytes.ts). The account's changes with each list that is stored,
-- in store/ledger.ts, and below with each that is removed, whoever removes it.
ALTER TABLE mxproof.lists ADD COLUMN test_bytes bigint NOT NULL DEFAULT 0 CHECK (test_bytes >= 0);
ALTER TABLE mxproof.accounts ADD COLUMN test_bytes bigint NOT NULL DEFAULT 0 CHECK (test_bytes >= 0);

CREATE FUNCTION mxproof.forget_test_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  WITH fewer AS (
    SELECT coalesce(account_id, deleted_of) AS id, sum(test_bytes) AS bytes
    FROM removed WHERE test_bytes > 0 GROUP BY 1),
  locked AS (SELECT a.id FROM mxproof.accounts a JOIN fewer ON fewer.id = a.id ORDER BY a.id FOR UPDATE OF a)
  UPDATE mxproof.accounts a SET test_bytes = a.test_bytes - fewer.bytes
  FROM fewer JOIN locked ON locked.id = fewer.id WHERE a.id = fewer.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_test_bytes AFTER DELETE ON mxproof.lists
  REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION mxproof.forget_test_bytes();

UPDATE mxproof.lists l SET test_bytes = s.bytes FROM (
  SELECT c.list_id, 1000 + sum(octet_length(c.emails) + 100 * c.size) AS bytes
  FROM mxproof.accounts a JOIN mxproof.lists t ON a.id IN (t.account_id, t.deleted_of)
  JOIN mxproof.chunks c ON c.list_id = t.id
  WHERE a.test_of IS NOT NULL GROUP BY 1) AS s
WHERE l.id = s.list_id;
UPDATE mxproof.accounts a SET test_bytes = s.bytes FROM (
  SELECT coalesce(account_id, deleted_of) AS id, sum(test_bytes) AS bytes
  FROM mxproof.lists WHERE test_bytes > 0 GROUP BY 1) AS s
WHERE a.id = s.id;

-- How many recipients of a domain an account's lists have asked about in a day that began with the first of them, and how
-- many of these do not exist: a domain that knows hardly any is not asked on (engine/src/check/guessing.ts). May be lost in
-- a crash, which begins the day anew.
CREATE UNLOGGED TABLE mxproof.asked_domains (
  account_id bigint NOT NULL REFERENCES mxproof.accounts ON DELETE CASCADE,
  domain     text NOT NULL,
  asked      integer NOT NULL,
  unknown    integer NOT NULL,
  since      timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, domain)
) WITH (fillfactor = 70);
