-- How many days an account's data is kept, by kind; null: as long as the deployment says. A test twin follows its account.
ALTER TABLE mxproof.accounts
  ADD COLUMN results_days       integer CHECK (results_days BETWEEN 1 AND 3650),
  ADD COLUMN evidence_days      integer CHECK (evidence_days BETWEEN 1 AND 3650),
  ADD COLUMN callbacks_days     integer CHECK (callbacks_days BETWEEN 1 AND 3650),
  ADD COLUMN single_checks_days integer CHECK (single_checks_days BETWEEN 1 AND 3650);

-- Its addresses and results are gone, its summary stays. In no index, so that the page of the row is all that is written.
ALTER TABLE mxproof.lists
  ADD COLUMN results_expired_at timestamptz,
  ADD CHECK (results_expired_at IS NULL OR finished_at IS NOT NULL);

-- An account's finished lists in the order of their end, those that may still be brought back included.
CREATE INDEX lists_finished ON mxproof.lists (coalesce(account_id, deleted_of), finished_at, id)
  WHERE finished_at IS NOT NULL;

-- How far retention has come: of the lists that finished up to here, nothing of this kind is left (store/retention.ts).
CREATE TABLE mxproof.retention_marks (
  account_id  bigint NOT NULL REFERENCES mxproof.accounts,
  kind        text NOT NULL CHECK (kind IN ('results', 'evidence', 'callbacks', 'single_checks')),
  finished_at timestamptz NOT NULL,
  list_id     bigint NOT NULL,
  PRIMARY KEY (account_id, kind)
) WITH (fillfactor = 50);

-- Evidence goes with the end of its list now. This index told ages by place in the table, which says nothing once the
-- places of what was deleted are used again.
DROP INDEX mxproof.evidence_age;
