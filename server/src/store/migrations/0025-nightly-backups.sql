-- Machines whose nodes are to write a backup every night (backup/nightly-backup.ts). Not part of a backup: a restored store has
-- machines of its own.
CREATE TABLE mxproof.nightly_backups (
  machine   text PRIMARY KEY,
  folder    text NOT NULL,
  -- Since when there has been such a node, without a gap of a day.
  since     timestamptz NOT NULL DEFAULT now(),
  seen_at   timestamptz NOT NULL DEFAULT now(),
  -- When a write failed last, and why in one sentence; null: the last one went well.
  failed_at timestamptz,
  failure   text,
  CHECK (num_nulls(failed_at, failure) IN (0, 2))
);
