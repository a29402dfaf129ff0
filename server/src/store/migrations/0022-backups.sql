-- Backups that were made of this store (backup/backup-to-file.ts).
CREATE TABLE mxproof.backups (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  machine    text NOT NULL,
  path       text NOT NULL,
  is_nightly boolean NOT NULL,
  has_key    boolean NOT NULL,
  bytes      bigint NOT NULL,
  rows       bigint NOT NULL,
  made_at    timestamptz NOT NULL,
  -- A newer one took its place.
  removed_at timestamptz
);
CREATE INDEX backups_made ON mxproof.backups (made_at DESC);
