-- Which jobs were present when nodes died (store/jobs.ts): a chunk that was at two deaths goes on in the queue `alone`, whose
-- jobs are asked about in processes of their own.
ALTER TABLE mxproof.jobs
  -- The node that has it, had it last or, of a single check, began it; null: a version that did not say so.
  ADD COLUMN node_id uuid,
  ADD COLUMN deaths integer NOT NULL DEFAULT 0,
  DROP CONSTRAINT jobs_queue_check,
  ADD CONSTRAINT jobs_queue_check CHECK (queue IN ('chunk', 'alone', 'callback'));

-- Addresses and ports that callbacks of an account went to (store/callback-targets.ts).
CREATE TABLE mxproof.callback_targets (
  account_id  bigint NOT NULL REFERENCES mxproof.accounts (id) ON DELETE CASCADE,
  target      text NOT NULL,
  -- Null: never.
  answered_at timestamptz,
  silent_at   timestamptz,
  PRIMARY KEY (account_id, target)
);
