-- Which jobs were present when nodes died (store/jobs.ts): a chunk that was at two deaths goes on in the queue `alone`, whose
-- jobs are asked about in processes of their own.
ALTER TABLE mxproof.jobs
  -- The node that has it, had it last or, of a single check, began it; null: a version that did not say so.
  ADD COLUMN node_id uuid,
  ADD COLUMN deaths integer NOT NULL DEFAULT 0,
  DROP CONSTRAINT jobs_queue_check,
  ADD CONSTRAINT jobs_queue_check CHECK (queue IN ('chunk', 'alone', 'callback'));
