-- Endpoints of accounts, which are told of events for days (features/webhooks).

-- Below it, credits are low; null: the account is not told.
ALTER TABLE mxproof.accounts ADD COLUMN low_credits bigint;

CREATE TABLE mxproof.webhook_endpoints (
  id                    bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id            bigint NOT NULL REFERENCES mxproof.accounts ON DELETE CASCADE,
  url                   text NOT NULL,
  description           text NOT NULL,
  events                text[] NOT NULL,
  -- Sealed as those of accounts; the one before signs beside the new one until then.
  secret                bytea NOT NULL,
  previous_secret       bytea,
  previous_secret_until timestamptz,
  created_at            timestamptz NOT NULL DEFAULT now(),
  -- By its owner: its events are kept for three days.
  paused_at             timestamptz,
  -- By the service, and why: its events are dropped.
  off_at                timestamptz,
  off_reason            text CHECK (off_reason IN ('gone', 'failing')),
  -- The first failure since the last success.
  failing_since         timestamptz,
  CHECK (num_nulls(off_at, off_reason) IN (0, 2)),
  CHECK (num_nulls(previous_secret, previous_secret_until) IN (0, 2))
);
CREATE INDEX webhook_endpoints_account ON mxproof.webhook_endpoints (account_id, id);

CREATE TABLE mxproof.webhook_deliveries (
  id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  endpoint_id     bigint NOT NULL REFERENCES mxproof.webhook_endpoints ON DELETE CASCADE,
  -- The same in every attempt, and never given out again, not even after a restore.
  uuid            uuid NOT NULL DEFAULT gen_random_uuid(),
  event           text NOT NULL,
  -- The list that it is about: deleted with it.
  list_id         bigint REFERENCES mxproof.lists ON DELETE CASCADE,
  -- What was so when it happened.
  facts           jsonb NOT NULL,
  -- The bytes that are signed and sent in every attempt; null: not made before the first.
  body            text,
  state           text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts        jsonb NOT NULL DEFAULT '[]',
  -- Attempts made before the last resend, which begins the schedule anew.
  earlier         integer NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT now(),
  -- When its schedule began.
  begun_at        timestamptz NOT NULL DEFAULT now(),
  next_attempt_at timestamptz DEFAULT now()
);
CREATE INDEX webhook_deliveries_endpoint ON mxproof.webhook_deliveries (endpoint_id, id DESC);
CREATE INDEX webhook_deliveries_pending ON mxproof.webhook_deliveries (endpoint_id, id) WHERE state = 'pending';
CREATE INDEX webhook_deliveries_list ON mxproof.webhook_deliveries (list_id) WHERE list_id IS NOT NULL;
CREATE INDEX webhook_deliveries_age ON mxproof.webhook_deliveries USING brin (created_at);

-- A queue that nodes of earlier versions do not claim from: they would not know what to send.
ALTER TABLE mxproof.jobs
  DROP CONSTRAINT jobs_queue_check,
  ADD CONSTRAINT jobs_queue_check CHECK (queue IN ('chunk', 'alone', 'callback', 'webhook'));

-- Writes an event for the account's endpoints that want it. They are locked, so that one which is resumed meanwhile gets its job.
CREATE FUNCTION mxproof.tell_endpoints(account bigint, list bigint, what text, known jsonb) RETURNS void LANGUAGE sql AS $$
  WITH told AS (
    SELECT id, paused_at FROM mxproof.webhook_endpoints
    WHERE account_id = account AND off_at IS NULL AND what = ANY (events) ORDER BY id FOR SHARE),
  written AS (
    INSERT INTO mxproof.webhook_deliveries (endpoint_id, list_id, event, facts)
    SELECT id, list, what, known FROM told RETURNING id, endpoint_id)
  INSERT INTO mxproof.jobs (queue, account_id, list_id, rank, bound_to, data)
  SELECT 'webhook', account, 0, 0, 'webhook ' || told.id,
    jsonb_build_object('deliveryId', written.id, 'accountId', account, 'receiver', 'webhook ' || told.id)
  FROM written JOIN told ON told.id = written.endpoint_id WHERE told.paused_at IS NULL
$$;

-- Triggers, so that no way in which a list ends or credits are spent can forget the event or commit without it. Their conditions
-- are false for nearly every row that is written.
CREATE FUNCTION mxproof.tell_of_list() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mxproof.tell_endpoints(NEW.account_id, NEW.id,
    CASE WHEN NEW.finished_at IS NULL THEN 'list.paused' ELSE 'list.' || NEW.status END,
    jsonb_build_object('status', NEW.status, 'checked', NEW.checked, 'deliverable', NEW.deliverable, 'risky', NEW.risky,
      'undeliverable', NEW.undeliverable, 'unknown', NEW.unknown,
      'finishedAtSeconds', floor(extract(epoch FROM NEW.finished_at))::bigint));
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_list AFTER UPDATE ON mxproof.lists FOR EACH ROW
  WHEN (NOT NEW.single AND (OLD.finished_at IS NULL AND NEW.finished_at IS NOT NULL
    OR NEW.finished_at IS NULL AND OLD.paused_at IS NULL AND NEW.paused_at IS NOT NULL))
  EXECUTE FUNCTION mxproof.tell_of_list();

CREATE FUNCTION mxproof.tell_of_credits() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM mxproof.tell_endpoints(NEW.id, NULL, 'credits.low',
    jsonb_build_object('credits', NEW.credits, 'low_credits', NEW.low_credits));
  RETURN NULL;
END $$;
CREATE TRIGGER tell_of_credits AFTER UPDATE ON mxproof.accounts FOR EACH ROW
  WHEN (OLD.credits >= OLD.low_credits AND NEW.credits < NEW.low_credits)
  EXECUTE FUNCTION mxproof.tell_of_credits();
