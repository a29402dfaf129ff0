-- contracts: unused since 0.2
-- An operator may take credits back, as a grant of a negative amount, and repeat a change of credits by its key
-- (flow/change-credits.ts). What is dropped is the check that every amount is positive, in favour of a wider one: nodes of 0.2 write
-- positive ones only, and no key.
ALTER TABLE mxproof.ledger ADD COLUMN operator_key text;
CREATE UNIQUE INDEX ledger_operator_key ON mxproof.ledger (account_id, operator_key) WHERE operator_key IS NOT NULL;
ALTER TABLE mxproof.ledger DROP CONSTRAINT ledger_amount_check;
ALTER TABLE mxproof.ledger ADD CONSTRAINT ledger_amount_check CHECK (amount > 0 OR (kind = 'grant' AND amount < 0));
