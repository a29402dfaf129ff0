-- Mail to members of accounts, beside the one address that the operator has set (features/mail, migration 0036).

ALTER TABLE mxproof.mail_recipients
  -- In the link that stops mail to this mailbox. It can do nothing else.
  ADD COLUMN stop_token uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  -- Its reader wants no more; null: told.
  ADD COLUMN stopped_at timestamptz;

-- Who of the account is told; null: the account's address.
ALTER TABLE mxproof.mail_events ADD COLUMN member_id bigint REFERENCES mxproof.members ON DELETE CASCADE;
CREATE INDEX mail_events_member ON mxproof.mail_events (member_id) WHERE member_id IS NOT NULL;

-- Mails that carry a link, to somebody who may be no member yet. Never the link: its token is made when the mail is.
CREATE TABLE mxproof.link_mails (
  -- Of the message, the same in every attempt.
  id         uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  kind       text NOT NULL CHECK (kind IN ('invitation', 'sign_in')),
  -- In lower case.
  email      text NOT NULL,
  -- Of an invitation. Members that are removed leave their row: it counts for the bounds.
  account_id bigint REFERENCES mxproof.accounts,
  member_id  bigint REFERENCES mxproof.members ON DELETE SET NULL,
  -- From when on it may be sent.
  created_at timestamptz NOT NULL DEFAULT now(),
  -- When it is tried; null: it was sent or given up.
  next_at    timestamptz DEFAULT now(),
  attempts   integer NOT NULL DEFAULT 0,
  -- Of the last attempt; null: it went well, or there was none.
  error      text,
  CHECK ((kind = 'invitation') = (account_id IS NOT NULL))
);
CREATE INDEX link_mails_due ON mxproof.link_mails (next_at) WHERE next_at IS NOT NULL;
CREATE INDEX link_mails_email ON mxproof.link_mails (email, created_at);
CREATE INDEX link_mails_account ON mxproof.link_mails (account_id, created_at) WHERE account_id IS NOT NULL;
CREATE INDEX link_mails_member ON mxproof.link_mails (member_id) WHERE member_id IS NOT NULL;

-- One event for each who is to be told: the account's address, and of its members the one who wants to know of the list, or else
-- every owner. Members only at a mailbox that they have proved, and no mailbox twice.
CREATE FUNCTION mxproof.tell_by_mail(account bigint, event text, list bigint, endpoint bigint, facts jsonb, member bigint)
RETURNS void LANGUAGE sql AS $$
  INSERT INTO mxproof.mail_events (account_id, event, list_id, endpoint_id, facts, member_id)
  SELECT a.id, event, list, endpoint, facts, told.member_id
  FROM mxproof.accounts a CROSS JOIN LATERAL (
    SELECT NULL::bigint AS member_id, a.mail AS address
    UNION ALL
    SELECT m.id, p.email FROM mxproof.members m JOIN mxproof.people p ON p.id = m.person_id
    WHERE m.account_id = a.id AND p.email IS DISTINCT FROM lower(a.mail)
      AND CASE WHEN event = 'list.done' THEN m.id = member ELSE m.role = 'owner' END) told
  WHERE a.id = account AND a.deleted_at IS NULL AND told.address IS NOT NULL
    AND NOT EXISTS (SELECT FROM mxproof.mail_recipients r WHERE r.address = told.address AND r.stopped_at IS NOT NULL)
$$;

CREATE OR REPLACE FUNCTION mxproof.mail_of_list() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mxproof.tell_by_mail(NEW.account_id, 'list.done', NEW.id, NULL, '{}', NEW.mail_member_id);
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION mxproof.mail_of_credits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mxproof.tell_by_mail(NEW.id, 'credits.low', NULL, NULL,
    jsonb_build_object('credits', NEW.credits, 'lowCredits', NEW.low_credits), NULL);
  RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER mail_of_credits AFTER UPDATE ON mxproof.accounts FOR EACH ROW
  WHEN (OLD.credits >= OLD.low_credits AND NEW.credits < NEW.low_credits)
  EXECUTE FUNCTION mxproof.mail_of_credits();

CREATE OR REPLACE FUNCTION mxproof.mail_of_endpoint() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mxproof.tell_by_mail(NEW.account_id, 'webhook.off', NULL, NEW.id,
    jsonb_build_object('reason', NEW.off_reason), NULL);
  RETURN NULL;
END $$;

-- Mailboxes are written as those of people: one row for each, with one pace and one choice to stop.
INSERT INTO mxproof.mail_recipients (address)
SELECT DISTINCT lower(mail) FROM mxproof.accounts WHERE mail <> lower(mail) ON CONFLICT DO NOTHING;
UPDATE mxproof.accounts SET mail = lower(mail) WHERE mail <> lower(mail);
