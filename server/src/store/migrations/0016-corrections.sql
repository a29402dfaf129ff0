-- Of a list of likelier spellings: the list whose addresses they correct. No foreign key: it outlives that list.
ALTER TABLE mxproof.lists ADD COLUMN correction_of bigint;
CREATE INDEX lists_corrections ON mxproof.lists (correction_of, id) WHERE correction_of IS NOT NULL;
