-- GET /v1/callbacks also shows what will be sent when a list is done: the few such lists of an account, without reading all.
CREATE INDEX lists_callback_waiting ON mxproof.lists (account_id, id DESC)
  WHERE callback_url IS NOT NULL AND finished_at IS NULL;
