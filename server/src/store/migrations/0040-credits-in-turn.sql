-- How several accounts are changed in one statement: one account after the other, by ascending id (store/ledger.ts, store/lists.ts).
-- In functions, since each of their statements sees what was committed before it. An UPDATE behind a SELECT FOR UPDATE in the
-- statement's own WITH goes to the version of the row that was there when the statement began, and waits there for others that
-- wait for this transaction.

-- Locks the account, whether or not it pays. Null: it cannot pay, or has no room for test lists; else whether it is a test account.
CREATE FUNCTION mxproof.charge_account(account bigint, amount bigint, more_lists bigint, bytes bigint, most_bytes bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  is_test boolean;
BEGIN
  PERFORM FROM mxproof.accounts WHERE id = account FOR NO KEY UPDATE;
  UPDATE mxproof.accounts SET credits = credits - amount, used = used + amount, lists = lists + more_lists,
    test_bytes = CASE WHEN test_of IS NULL THEN 0 ELSE test_bytes + bytes END
  WHERE id = account AND credits >= amount AND test_bytes <= most_bytes
  RETURNING test_of IS NOT NULL INTO is_test;
  RETURN is_test;
END $$;

-- Null: no such account.
CREATE FUNCTION mxproof.refund_account(account bigint, amount bigint) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  refunded bigint;
BEGIN
  UPDATE mxproof.accounts SET credits = credits + amount, used = used - amount WHERE id = account RETURNING id INTO refunded;
  RETURN refunded;
END $$;

CREATE FUNCTION mxproof.forget_lists(account bigint, fewer bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  UPDATE mxproof.accounts SET lists = lists - fewer WHERE id = account;
END $$;

-- As in 0011, in turn.
CREATE OR REPLACE FUNCTION mxproof.forget_test_bytes() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  fewer record;
BEGIN
  FOR fewer IN
    SELECT coalesce(account_id, deleted_of) AS id, sum(removed.test_bytes) AS bytes
    FROM removed WHERE removed.test_bytes > 0 GROUP BY 1 ORDER BY 1
  LOOP
    UPDATE mxproof.accounts SET test_bytes = test_bytes - fewer.bytes WHERE id = fewer.id;
  END LOOP;
  RETURN NULL;
END $$;
