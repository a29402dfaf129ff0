-- What each account has asked on the day that a warm-up's next one is judged by (warm_ups), where there are several accounts
-- (features/sources/stored-warm-ups.ts). A day that was judged is removed by the sweeps.
CREATE TABLE mxproof.warm_up_payers (
  source             text NOT NULL,
  provider           text NOT NULL,
  -- Since the epoch.
  day                bigint NOT NULL,
  payer              text NOT NULL,
  asked              bigint NOT NULL,
  unknown_recipients bigint NOT NULL,
  -- Of all kinds.
  refused            bigint NOT NULL,
  PRIMARY KEY (source, provider, day, payer)
);
