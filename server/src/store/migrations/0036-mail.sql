-- Mail to the people of accounts (features/mail).

-- Those who get mail: one row each, however many accounts name them.
CREATE TABLE mxproof.mail_recipients (
  address       text PRIMARY KEY,
  -- When the next may be sent: a minute after the last, later after a failure, or while a node is sending.
  next_at       timestamptz NOT NULL DEFAULT now(),
  -- Since the last success.
  attempts      integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  error         text
);

-- Who is told of what happens in the account; null: no person is. Never of a test account.
ALTER TABLE mxproof.accounts ADD COLUMN mail text REFERENCES mxproof.mail_recipients;
CREATE INDEX accounts_mail ON mxproof.accounts (mail) WHERE mail IS NOT NULL;

-- What is still to be told. Neither addresses nor names are in it: the mail is written when it is sent, from what it is about.
CREATE TABLE mxproof.mail_events (
  id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id  bigint NOT NULL REFERENCES mxproof.accounts ON DELETE CASCADE,
  event       text NOT NULL CHECK (event IN ('list.done', 'credits.low', 'webhook.off')),
  list_id     bigint REFERENCES mxproof.lists ON DELETE CASCADE,
  endpoint_id bigint REFERENCES mxproof.webhook_endpoints ON DELETE CASCADE,
  -- What was so when it happened.
  facts       jsonb NOT NULL,
  -- The mail that it went into: the same in every attempt. Null: none yet.
  message     uuid,
  created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mail_events_account ON mxproof.mail_events (account_id, id);
CREATE INDEX mail_events_list ON mxproof.mail_events (list_id) WHERE list_id IS NOT NULL;
CREATE INDEX mail_events_endpoint ON mxproof.mail_events (endpoint_id) WHERE endpoint_id IS NOT NULL;

-- Triggers, as for endpoints (migration 0034): nothing that happens can be forgotten, or told of without having happened.
CREATE FUNCTION mxproof.mail_of_list() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO mxproof.mail_events (account_id, event, list_id, facts)
  SELECT id, 'list.done', NEW.id, '{}' FROM mxproof.accounts WHERE id = NEW.account_id AND mail IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER mail_of_list AFTER UPDATE ON mxproof.lists FOR EACH ROW
  WHEN (NOT NEW.single AND NEW.status = 'done' AND OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL)
  EXECUTE FUNCTION mxproof.mail_of_list();

CREATE FUNCTION mxproof.mail_of_credits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO mxproof.mail_events (account_id, event, facts)
  VALUES (NEW.id, 'credits.low', jsonb_build_object('credits', NEW.credits, 'lowCredits', NEW.low_credits));
  RETURN NULL;
END $$;
CREATE TRIGGER mail_of_credits AFTER UPDATE ON mxproof.accounts FOR EACH ROW
  WHEN (NEW.mail IS NOT NULL AND OLD.credits >= OLD.low_credits AND NEW.credits < NEW.low_credits)
  EXECUTE FUNCTION mxproof.mail_of_credits();

CREATE FUNCTION mxproof.mail_of_endpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO mxproof.mail_events (account_id, event, endpoint_id, facts)
  SELECT id, 'webhook.off', NEW.id, jsonb_build_object('reason', NEW.off_reason)
  FROM mxproof.accounts WHERE id = NEW.account_id AND mail IS NOT NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER mail_of_endpoint AFTER UPDATE ON mxproof.webhook_endpoints FOR EACH ROW
  WHEN (OLD.off_at IS NULL AND NEW.off_at IS NOT NULL)
  EXECUTE FUNCTION mxproof.mail_of_endpoint();
