-- Accounts, money, lists. One schema of our own, so that the service can share an operator's database.
CREATE TABLE mxproof.accounts (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name           text NOT NULL,
  -- credits + used is what was ever granted, at every moment: each statement that moves one moves the other.
  credits        bigint NOT NULL DEFAULT 0 CHECK (credits >= 0),
  used           bigint NOT NULL DEFAULT 0 CHECK (used >= 0),
  -- Existing lists, single checks included; counted here because an account may own millions.
  lists          bigint NOT NULL DEFAULT 0 CHECK (lists >= 0),
  webhook_secret bytea NOT NULL,
  created_at     timestamptz NOT NULL DEFAULT now()
);
-- Every submission rewrites its account's row: room on the page keeps those updates out of the index.
ALTER TABLE mxproof.accounts SET (fillfactor = 50);

CREATE TABLE mxproof.api_keys (
  id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id     bigint NOT NULL REFERENCES mxproof.accounts,
  prefix         text NOT NULL,
  hash           bytea NOT NULL,
  label          text NOT NULL DEFAULT '',
  rate_requests  integer CHECK (rate_requests > 0),
  rate_addresses integer CHECK (rate_addresses > 0),
  created_at     timestamptz NOT NULL DEFAULT now(),
  revoked_at     timestamptz
);
CREATE INDEX api_keys_prefix ON mxproof.api_keys (prefix);
CREATE INDEX api_keys_account ON mxproof.api_keys (account_id);

CREATE TABLE mxproof.ledger (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES mxproof.accounts,
  kind       text NOT NULL CHECK (kind IN ('grant', 'charge', 'refund')),
  amount     bigint NOT NULL CHECK (amount > 0),
  -- No foreign key: entries outlive their list.
  list_id    bigint CHECK ((kind = 'grant') = (list_id IS NULL)),
  note       text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL DEFAULT now()
);
-- A list is charged once and refunded once, whatever crashes.
CREATE UNIQUE INDEX ledger_once ON mxproof.ledger (list_id, kind) WHERE list_id IS NOT NULL;
CREATE INDEX ledger_account ON mxproof.ledger (account_id);

CREATE FUNCTION mxproof.ledger_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the ledger only grows';
END $$;
CREATE TRIGGER ledger_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON mxproof.ledger
  FOR EACH STATEMENT EXECUTE FUNCTION mxproof.ledger_only_grows();

CREATE TABLE mxproof.lists (
  id                 bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id         bigint NOT NULL REFERENCES mxproof.accounts,
  single             boolean NOT NULL,
  -- JSON string: PostgreSQL text takes neither NUL nor a lone surrogate, and names come back as sent.
  name_json          text NOT NULL,
  status             text NOT NULL DEFAULT 'processing' CHECK (status IN ('processing', 'checking', 'done', 'failed')),
  total              integer NOT NULL CHECK (total > 0),
  duplicates_removed integer NOT NULL,
  checked            integer NOT NULL DEFAULT 0,
  deliverable        integer NOT NULL DEFAULT 0,
  risky              integer NOT NULL DEFAULT 0,
  undeliverable      integer NOT NULL DEFAULT 0,
  unknown            integer NOT NULL DEFAULT 0,
  callback_url       text,
  failure            text,
  created_at         timestamptz NOT NULL DEFAULT now(),
  finished_at        timestamptz,
  CHECK (checked <= total AND checked = deliverable + risky + undeliverable + unknown),
  CHECK ((status IN ('done', 'failed')) = (finished_at IS NOT NULL))
);
CREATE INDEX lists_account ON mxproof.lists (account_id, id DESC);
CREATE INDEX lists_unfinished ON mxproof.lists (created_at) WHERE finished_at IS NULL;
ALTER TABLE mxproof.lists SET (fillfactor = 70);

-- A list's addresses, at most 250 a row. Several jobs may touch one chunk: a write locks its list, then
-- the chunk, merges only positions still pending, and moves the list's counters by what changed.
CREATE TABLE mxproof.chunks (
  list_id  bigint NOT NULL REFERENCES mxproof.lists ON DELETE CASCADE,
  n        integer NOT NULL,
  size     integer NOT NULL,
  emails   text NOT NULL,
  results  text,
  -- Which job asks about a position, where it is not the chunk's own; see rules/chunk-owners.ts.
  owners   text,
  -- Times the work on this chunk threw inside the service; a node's death never counts.
  failures integer NOT NULL DEFAULT 0,
  PRIMARY KEY (list_id, n)
);

CREATE TABLE mxproof.evidence (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  list_id    bigint NOT NULL REFERENCES mxproof.lists ON DELETE CASCADE,
  n          integer NOT NULL,
  data       bytea NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
ALTER TABLE mxproof.evidence ALTER COLUMN data SET STORAGE EXTERNAL;
CREATE INDEX evidence_chunk ON mxproof.evidence (list_id, n);
CREATE INDEX evidence_age ON mxproof.evidence USING brin (created_at);

CREATE TABLE mxproof.callbacks (
  list_id         bigint PRIMARY KEY REFERENCES mxproof.lists ON DELETE CASCADE,
  account_id      bigint NOT NULL REFERENCES mxproof.accounts,
  url             text NOT NULL,
  -- The bytes that are signed and sent in every attempt.
  body            text NOT NULL,
  state           text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts        jsonb NOT NULL DEFAULT '[]',
  -- Attempts made before the last resend: a resend begins the schedule anew.
  earlier         integer NOT NULL DEFAULT 0,
  created_at      timestamptz NOT NULL DEFAULT now(),
  next_attempt_at timestamptz DEFAULT now()
);
CREATE INDEX callbacks_account ON mxproof.callbacks (account_id, list_id DESC);

-- Nodes that check. Work that must go on from a source address waits for a node that owns it, while one lives.
CREATE TABLE mxproof.nodes (
  id      uuid PRIMARY KEY,
  sources text[] NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- When a duty that one node of all does was last taken.
CREATE TABLE mxproof.turns (
  duty     text PRIMARY KEY,
  taken_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE mxproof.idempotency (
  account_id bigint NOT NULL REFERENCES mxproof.accounts,
  route      text NOT NULL,
  key        text NOT NULL,
  body_hash  bytea NOT NULL,
  list_id    bigint NOT NULL,
  -- Null until the first answer is known.
  status     integer,
  answer     text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, route, key)
);
CREATE INDEX idempotency_age ON mxproof.idempotency USING brin (created_at);

-- Rolling 60-second windows, shared by all nodes. Lost in a crash of PostgreSQL, which costs nothing but memory of a minute.
CREATE UNLOGGED TABLE mxproof.rate_windows (
  key_id bigint NOT NULL,
  kind   text NOT NULL,
  -- JSON, flat: slot, count, then how much later the next slot is, its count, …
  taken  text NOT NULL DEFAULT '[]',
  PRIMARY KEY (key_id, kind)
) WITH (fillfactor = 50);
