-- What the operator is told of when it goes wrong (store/alerts.ts): one row for each condition and what it is about.
CREATE TABLE mxproof.alerts (
  condition   text NOT NULL,
  -- A source, a machine; empty: the deployment.
  subject     text NOT NULL,
  detail      text NOT NULL,
  since       timestamptz NOT NULL,
  -- When the operator was last told that it holds; whether that was not taken back since. See rules/alert-state.ts.
  told_at     timestamptz,
  is_told     boolean NOT NULL,
  clear_since timestamptz,
  resolved_at timestamptz,
  PRIMARY KEY (condition, subject)
);

-- What is to be sent, written in the transaction that decided it; gone when it was delivered.
CREATE TABLE mxproof.alert_messages (
  seq             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- The receiver's: the same in every attempt.
  id              uuid NOT NULL,
  way             text NOT NULL CHECK (way IN ('post', 'mail')),
  condition       text NOT NULL,
  subject         text NOT NULL,
  -- The bytes that are posted, and what the mail is made of.
  body            text NOT NULL,
  made_at         timestamptz NOT NULL DEFAULT now(),
  attempts        integer NOT NULL DEFAULT 0,
  -- While an attempt is under way: when it is another node's.
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  error           text
);

-- How many addresses got a verdict in five minutes, and how many of them are unknown. May be lost in a crash.
CREATE UNLOGGED TABLE mxproof.verdict_tallies (
  -- Of five minutes, since the epoch.
  slot    bigint PRIMARY KEY,
  checked bigint NOT NULL,
  unknown bigint NOT NULL
) WITH (fillfactor = 50);

-- Room on the file system of each machine's data. May be lost in a crash.
CREATE UNLOGGED TABLE mxproof.machine_disks (
  machine     text PRIMARY KEY,
  free_bytes  bigint NOT NULL,
  measured_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- For those of the last hour.
CREATE INDEX callbacks_age ON mxproof.callbacks USING brin (created_at);
