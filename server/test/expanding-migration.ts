// A migration as the next version may bring it (ADR 0069), made for tests: every table has one more column.
export const EXPANDING_MIGRATION = `
DO $$ DECLARE t text; BEGIN
  FOR t IN SELECT relname FROM pg_class
    WHERE relnamespace = 'mxproof'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migrations' ORDER BY 1
  LOOP EXECUTE format('ALTER TABLE mxproof.%I ADD COLUMN of_the_next_version text NOT NULL DEFAULT ''new''', t); END LOOP;
END $$;
CREATE TABLE mxproof.of_the_next_version (id bigint PRIMARY KEY);
`;
