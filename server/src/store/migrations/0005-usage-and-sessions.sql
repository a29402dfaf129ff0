-- The account's history is read backwards from its balance, out of the index alone.
CREATE INDEX ledger_history ON mxproof.ledger (account_id, id DESC) INCLUDE (kind, amount);
DROP INDEX mxproof.ledger_account;

-- What an account was charged and got back on each day (UTC). Kept by the ledger itself, so that the two cannot differ;
-- whoever writes an entry holds the account's lock, so its day waits for nobody else.
CREATE TABLE mxproof.money_days (
  account_id bigint NOT NULL REFERENCES mxproof.accounts,
  day        date NOT NULL,
  charged    bigint NOT NULL DEFAULT 0,
  refunded   bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day)
) WITH (fillfactor = 50);

CREATE FUNCTION mxproof.count_money() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO mxproof.money_days AS d (account_id, day, charged, refunded)
  SELECT account_id, (created_at AT TIME ZONE 'UTC')::date,
         coalesce(sum(amount) FILTER (WHERE kind = 'charge'), 0), coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0)
  FROM entries WHERE kind <> 'grant' GROUP BY 1, 2 ORDER BY 1, 2
  ON CONFLICT (account_id, day) DO UPDATE
    SET charged = d.charged + excluded.charged, refunded = d.refunded + excluded.refunded;
  RETURN NULL;
END $$;
CREATE TRIGGER count_money AFTER INSERT ON mxproof.ledger
  REFERENCING NEW TABLE AS entries FOR EACH STATEMENT EXECUTE FUNCTION mxproof.count_money();

-- How the addresses of an account's lists ended, by the day (UTC) on which their list ended; lists may be deleted, this
-- stays. In several rows a day, since lists that end without a refund do not lock their account and should not wait for
-- each other here either.
CREATE TABLE mxproof.result_days (
  account_id    bigint NOT NULL REFERENCES mxproof.accounts,
  day           date NOT NULL,
  slot          smallint NOT NULL,
  deliverable   bigint NOT NULL,
  risky         bigint NOT NULL,
  undeliverable bigint NOT NULL,
  unknown       bigint NOT NULL,
  PRIMARY KEY (account_id, day, slot)
) WITH (fillfactor = 50);

-- The days before this version, as far as the rows still tell.
INSERT INTO mxproof.money_days (account_id, day, charged, refunded)
SELECT account_id, (created_at AT TIME ZONE 'UTC')::date,
       coalesce(sum(amount) FILTER (WHERE kind = 'charge'), 0), coalesce(sum(amount) FILTER (WHERE kind = 'refund'), 0)
FROM mxproof.ledger WHERE kind <> 'grant' GROUP BY 1, 2;
INSERT INTO mxproof.result_days (account_id, day, slot, deliverable, risky, undeliverable, unknown)
SELECT account_id, (finished_at AT TIME ZONE 'UTC')::date, 0,
       sum(deliverable), sum(risky), sum(undeliverable), sum(unknown)
FROM mxproof.lists WHERE finished_at IS NOT NULL GROUP BY 1, 2;

-- Browsers that are signed in. Only a hash of what their cookie holds.
CREATE TABLE mxproof.sessions (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES mxproof.accounts,
  -- Signed in with this key, and signed in no longer than it is good for; null: with a link.
  key_id     bigint REFERENCES mxproof.api_keys,
  hash       bytea NOT NULL UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- At most a minute behind: not every request writes.
  seen_at    timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sessions_account ON mxproof.sessions (account_id);

-- Links that sign a browser in, once; gone when redeemed.
CREATE TABLE mxproof.sign_in_links (
  hash       bytea PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES mxproof.accounts,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- How often a client address has tried to sign in, in a minute that begins with its first try. May be lost in a crash.
CREATE UNLOGGED TABLE mxproof.sign_in_attempts (
  client   text PRIMARY KEY,
  began_at timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 1
) WITH (fillfactor = 50);
