-- When MXPROOF_BACKUP_HOOK has ended well for a backup; null: it has not, or there was none.
ALTER TABLE mxproof.backups ADD COLUMN hooked_at timestamptz;
