-- What each account has had of a limit per hour or day (recipient_windows), where there are several accounts
-- (features/sources/stored-permits.ts). A row whose day is over is removed by the sweeps.
CREATE TABLE mxproof.recipient_shares (
  source     text NOT NULL,
  budget     text NOT NULL,
  payer      text NOT NULL,
  -- Hours and days since the epoch.
  hour       bigint NOT NULL,
  hour_count bigint NOT NULL,
  day        bigint NOT NULL,
  day_count  bigint NOT NULL,
  PRIMARY KEY (source, budget, payer)
);
