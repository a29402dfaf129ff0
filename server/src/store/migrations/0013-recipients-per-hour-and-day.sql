-- Recipients that a source address has asked about in the current hour and day of UTC, where the policy limits them
-- (store/recipient-permits.ts). A row whose day is over is removed by the sweeps.
CREATE TABLE mxproof.recipient_windows (
  -- Empty: the machine's own address, which is one and the same for all nodes that name none.
  source     text NOT NULL,
  -- What is counted together: a provider, a host name of the policy, or one address.
  budget     text NOT NULL,
  -- Hours and days since the epoch.
  hour       bigint NOT NULL DEFAULT 0,
  hour_count bigint NOT NULL DEFAULT 0,
  day        bigint NOT NULL DEFAULT 0,
  day_count  bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (source, budget)
);
