-- Lists that their owners have paused, and the jobs of these, which nothing claims (store/parked-jobs.ts).
ALTER TABLE mxproof.lists
  ADD COLUMN paused_at  timestamptz,
  -- In all pauses that are over.
  ADD COLUMN paused_for interval NOT NULL DEFAULT '0';
CREATE INDEX lists_paused ON mxproof.lists (paused_at) WHERE paused_at IS NOT NULL;

-- Rows of mxproof.jobs, and since when each is here: what was left of its wait then is left of it when it goes back.
CREATE TABLE mxproof.parked_jobs (
  id         bigint PRIMARY KEY,
  queue      text NOT NULL,
  account_id bigint NOT NULL,
  list_id    bigint NOT NULL REFERENCES mxproof.lists ON DELETE CASCADE,
  rank       integer NOT NULL,
  due_at     timestamptz NOT NULL,
  bound_to   text,
  data       jsonb NOT NULL,
  claims     integer NOT NULL,
  node_id    uuid,
  deaths     integer NOT NULL,
  parked_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX parked_jobs_list ON mxproof.parked_jobs (list_id);
