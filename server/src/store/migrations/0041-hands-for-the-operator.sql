-- Hands for the operator (features/admin), and a trail of who did what (store/audit.ts).

ALTER TABLE mxproof.accounts
  -- The operator's own word for it, such as the customer's number in the billing system.
  ADD COLUMN external_id    text,
  ADD COLUMN suspended_at   timestamptz,
  -- Of a deleted account this row stays, without its name, for the ledger and the trail.
  ADD COLUMN deleted_at     timestamptz,
  -- When nothing else of it was left.
  ADD COLUMN removed_at     timestamptz,
  -- In place of the deployment's; null: the deployment's. A key may have limits of its own.
  ADD COLUMN rate_requests  integer CHECK (rate_requests > 0),
  ADD COLUMN rate_addresses integer CHECK (rate_addresses > 0),
  -- Granted once at the start of each month (UTC); the first day of the month that is granted next.
  ADD COLUMN monthly_credits bigint CHECK (monthly_credits > 0),
  ADD COLUMN monthly_from    date,
  ADD CHECK (num_nulls(monthly_credits, monthly_from) IN (0, 2)),
  ADD CHECK (removed_at IS NULL OR deleted_at IS NOT NULL);
CREATE UNIQUE INDEX accounts_external_id ON mxproof.accounts (external_id) WHERE external_id IS NOT NULL;
CREATE INDEX accounts_monthly ON mxproof.accounts (monthly_from) WHERE monthly_from IS NOT NULL;
CREATE INDEX accounts_to_remove ON mxproof.accounts (id) WHERE deleted_at IS NOT NULL AND removed_at IS NULL;

-- As in 0040; of a deleted account nothing is charged, and nothing is stored for it, any more.
CREATE OR REPLACE FUNCTION mxproof.charge_account(account bigint, amount bigint, more_lists bigint, bytes bigint, most_bytes bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  is_test boolean;
BEGIN
  PERFORM FROM mxproof.accounts WHERE id = account FOR NO KEY UPDATE;
  UPDATE mxproof.accounts SET credits = credits - amount, used = used + amount, lists = lists + more_lists,
    test_bytes = CASE WHEN test_of IS NULL THEN 0 ELSE test_bytes + bytes END
  WHERE id = account AND deleted_at IS NULL AND credits >= amount AND test_bytes <= most_bytes
  RETURNING test_of IS NOT NULL INTO is_test;
  RETURN is_test;
END $$;

-- Keys of operators, mx_admin_…, which belong to no account: a hash and a prefix, never the key.
CREATE TABLE mxproof.admin_keys (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  prefix       text NOT NULL,
  hash         bytea NOT NULL UNIQUE,
  label        text NOT NULL,
  scope        text NOT NULL CHECK (scope IN ('read', 'write')),
  -- Addresses and CIDR ranges as they were given; null: from anywhere.
  allowed_ips  text[] CHECK (cardinality(allowed_ips) > 0),
  created_at   timestamptz NOT NULL DEFAULT now(),
  -- At most a minute behind: not every request writes.
  last_used_at timestamptz,
  expires_at   timestamptz,
  revoked_at   timestamptz
);

-- Signed in with this key, with its scope and no longer than it is good for; null: with a link, which may do everything.
ALTER TABLE mxproof.operator_sessions ADD COLUMN key_id bigint REFERENCES mxproof.admin_keys;

-- Answers to requests of operators that carried an Idempotency-Key, for a day. Sealed: some show a secret once.
CREATE TABLE mxproof.admin_answers (
  id           bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  -- What the request was admitted with: 'key 3', 'session 7'.
  holder       text NOT NULL,
  key          text NOT NULL,
  -- Of method, path and body.
  request_hash bytea NOT NULL,
  status       integer NOT NULL,
  answer       bytea NOT NULL,
  created_at   timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (holder, key)
);
CREATE INDEX admin_answers_age ON mxproof.admin_answers USING brin (created_at);

-- Who did what. Rows are only ever added, and leave with their month. No foreign key: it outlives what it tells of.
CREATE SEQUENCE mxproof.audit_id;
CREATE TABLE mxproof.audit (
  id         bigint NOT NULL DEFAULT nextval('mxproof.audit_id'),
  at         timestamptz NOT NULL,
  -- Whose trail it is in; null: the deployment's alone.
  account_id bigint,
  action     text NOT NULL,
  actor      text NOT NULL CHECK (actor IN ('key', 'session', 'member', 'admin_key', 'operator', 'command', 'service')),
  -- Of the key, of the key that a session was signed in with, or of the member.
  actor_id   bigint,
  -- Of a command: the user who ran it.
  actor_name text,
  -- Where from: an IP address, or a command's machine.
  client     text,
  -- X-Request-Id.
  request_id uuid,
  -- What was acted on, of the kind that the action says.
  subject_id bigint,
  -- {"changes": {field: [before, after]}, "changed": [field]}: numbers and closed words, and the names of fields whose text changed.
  facts      jsonb NOT NULL,
  PRIMARY KEY (id, at)
) PARTITION BY RANGE (at);
CREATE INDEX audit_account ON mxproof.audit (account_id, id DESC);

CREATE FUNCTION mxproof.audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit trail only grows';
END $$;
-- The first one is that of every month, too; the second one each month has for itself.
CREATE TRIGGER audit_only_grows BEFORE UPDATE OR DELETE ON mxproof.audit
  FOR EACH ROW EXECUTE FUNCTION mxproof.audit_only_grows();
CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON mxproof.audit
  FOR EACH STATEMENT EXECUTE FUNCTION mxproof.audit_only_grows();

-- A month's table, by a name that says which: audit_2026_11. Attached when it is whole, so that what writes to others goes on.
CREATE FUNCTION mxproof.make_audit_month(month_of timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  first timestamp := date_trunc('month', month_of AT TIME ZONE 'UTC');
  part text := 'audit_' || to_char(first, 'YYYY_MM');
  begins timestamptz := first AT TIME ZONE 'UTC';
  ends timestamptz := (first + interval '1 month') AT TIME ZONE 'UTC';
BEGIN
  IF to_regclass('mxproof.' || part) IS NOT NULL THEN RETURN; END IF;
  PERFORM pg_advisory_xact_lock(hashtext('mxproof.audit'));
  -- Read from the table itself: what to_regclass has not found, it does not look for again while it waits.
  IF EXISTS (SELECT FROM pg_class WHERE relnamespace = 'mxproof'::regnamespace AND relname = part) THEN RETURN; END IF;
  EXECUTE format('CREATE TABLE mxproof.%I (LIKE mxproof.audit INCLUDING DEFAULTS INCLUDING CONSTRAINTS, CHECK (at >= %L AND at < %L))',
    part, begins, ends);
  EXECUTE format('CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON mxproof.%I FOR EACH STATEMENT EXECUTE FUNCTION mxproof.audit_only_grows()',
    part);
  EXECUTE format('ALTER TABLE mxproof.audit ATTACH PARTITION mxproof.%I FOR VALUES FROM (%L) TO (%L)', part, begins, ends);
END $$;
SELECT mxproof.make_audit_month(now() + months * interval '1 month') FROM generate_series(0, 2) AS months;

-- One row. Months are made ahead by the nodes (features/audit); a store that no node has opened for long gets its month here.
CREATE FUNCTION mxproof.note_audit(account bigint, what text, who text, who_id bigint, who_name text, come_from text,
  request uuid, subject bigint, known jsonb)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := clock_timestamp();
BEGIN
  PERFORM mxproof.make_audit_month(moment);
  INSERT INTO mxproof.audit (at, account_id, action, actor, actor_id, actor_name, client, request_id, subject_id, facts)
  VALUES (moment, account, what, who, who_id, who_name, come_from, request, subject, known);
END $$;

-- Which lists were read out by whom in which hour, so that the trail has one row of it.
CREATE TABLE mxproof.audited_exports (
  list_id bigint NOT NULL,
  -- As the trail has it: 'key 3'.
  actor   text NOT NULL,
  hour    timestamptz NOT NULL,
  PRIMARY KEY (list_id, actor, hour)
);

-- With which settings each machine last started: numbers and closed words as they are, of all else a keyed hash.
CREATE TABLE mxproof.started_settings (
  machine    text PRIMARY KEY,
  settings   jsonb NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now()
);
