-- What nodes have to do: chunks to ask about, callbacks to send (store/jobs.ts). A job that is done is deleted.
CREATE TABLE mxproof.jobs (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  queue      text NOT NULL CHECK (queue IN ('chunk', 'callback')),
  account_id bigint NOT NULL,
  -- No reference: the jobs of a list that is deleted end when they are claimed.
  list_id    bigint NOT NULL,
  -- Among the account's own; higher goes first, the oldest among equals.
  rank       integer NOT NULL,
  -- What need not wait is due however the clock is set.
  due_at     timestamptz NOT NULL DEFAULT '-infinity',
  -- The source address that alone may ask, or a callback's receiver.
  bound_to   text,
  data       jsonb NOT NULL,
  -- How often it was claimed: a node with an earlier number has lost it.
  claims     integer NOT NULL DEFAULT 0,
  is_claimed boolean NOT NULL DEFAULT false,
  -- In no index and no index's condition: a renewal writes nothing but the row.
  renewed_at timestamptz
) WITH (fillfactor = 70);
CREATE INDEX jobs_next ON mxproof.jobs (queue, account_id, rank DESC, id, due_at) WHERE NOT is_claimed;
CREATE INDEX jobs_claimed ON mxproof.jobs (id) WHERE is_claimed;
CREATE INDEX jobs_list ON mxproof.jobs (list_id);

-- Jobs of versions that left them to pg-boss. Whatever of that version still runs can then neither take nor add one.
DO $$
BEGIN
  IF to_regclass('mxproof_jobs.job') IS NULL THEN RETURN; END IF;
  LOCK TABLE mxproof_jobs.job;
  INSERT INTO mxproof.jobs (queue, account_id, list_id, rank, due_at, bound_to, data)
  SELECT j.name, a.id, l.id, j.priority, j.start_after, j.group_id, j.data || jsonb_build_object('accountId', a.id)
  FROM mxproof_jobs.job j JOIN mxproof.lists l ON l.id = (j.data->>'listId')::bigint
  JOIN mxproof.accounts a ON a.id IN (l.account_id, l.deleted_of)
  WHERE j.name IN ('chunk', 'callback') AND j.state <= 'active'
  ORDER BY j.created_on;
  DROP SCHEMA mxproof_jobs CASCADE;
END $$;
