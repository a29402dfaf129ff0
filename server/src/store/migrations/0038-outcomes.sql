-- Where addresses were checked, and what became of mail to them (features/outcomes), for accounts that want to know.

-- Accounts that have switched outcomes on. Whatever writes for one of them locks its row, so that nothing is written once it is gone.
CREATE TABLE mxproof.outcome_accounts (
  account_id bigint PRIMARY KEY REFERENCES mxproof.accounts ON DELETE CASCADE,
  since      timestamptz NOT NULL DEFAULT now()
);

-- The results of an address, found by the first 64 bits of the hash that erasures use. No foreign keys, which would be looked up for every address of a
-- list: the trigger below deletes what a list has here.
CREATE TABLE mxproof.checked_addresses (
  account_id bigint NOT NULL,
  hash       bigint NOT NULL,
  list_id    bigint NOT NULL,
  position   integer NOT NULL,
  -- Of the result, in UTC.
  day        date NOT NULL,
  PRIMARY KEY (list_id, position)
);
CREATE INDEX checked_addresses_hash ON mxproof.checked_addresses (account_id, hash);

CREATE FUNCTION mxproof.forget_checked_addresses() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM mxproof.checked_addresses c USING gone WHERE c.list_id = gone.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_checked_addresses AFTER DELETE ON mxproof.lists REFERENCING OLD TABLE AS gone
  FOR EACH STATEMENT EXECUTE FUNCTION mxproof.forget_checked_addresses();

-- What became of mail to an address, and what an account does not want to mail to: a row for each event.
CREATE TABLE mxproof.outcomes (
  account_id bigint NOT NULL REFERENCES mxproof.accounts ON DELETE CASCADE,
  -- A keyed hash of what tells the event from others: a repeat has the same.
  event      bytea NOT NULL,
  hash       bytea NOT NULL,
  outcome    text NOT NULL
    CHECK (outcome IN ('delivered', 'bounced', 'full', 'blocked', 'unclear', 'complained', 'uploaded')),
  day        date NOT NULL,
  -- The address is on the suppression list for it.
  suppresses boolean NOT NULL,
  -- From here on null once nothing is left but the suppression. In ASCII.
  domain     text,
  -- From here on null too where no result of the address was found: what it said when the mail was sent.
  provider   text,
  state      text,
  detail     text,
  -- Null also once the list is deleted, or its results have expired.
  list_id    bigint REFERENCES mxproof.lists ON DELETE SET NULL,
  -- Of no meaning without the list.
  position   integer,
  PRIMARY KEY (account_id, event)
);
CREATE INDEX outcomes_hash ON mxproof.outcomes (account_id, hash);
CREATE INDEX outcomes_day ON mxproof.outcomes (account_id, day);
CREATE INDEX outcomes_list ON mxproof.outcomes (list_id) WHERE list_id IS NOT NULL;
