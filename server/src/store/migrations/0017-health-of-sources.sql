-- How each source address fares at each provider (store/source-health.ts). A source is its address, `host:port` of a proxy,
-- or empty: the machine's own. A provider is one of the engine's words, `other` for all without one.

-- What was asked in a day of UTC, for all nodes that have the source.
CREATE TABLE mxproof.source_days (
  source             text NOT NULL,
  provider           text NOT NULL,
  -- Since the epoch.
  day                bigint NOT NULL,
  asked              bigint NOT NULL DEFAULT 0,
  accepted           bigint NOT NULL DEFAULT 0,
  unknown_recipients bigint NOT NULL DEFAULT 0,
  deferred           bigint NOT NULL DEFAULT 0,
  -- Refused for what we are: recipients, and sessions and senders, which are not among those asked.
  refused_block      bigint NOT NULL DEFAULT 0,
  refused_rate       bigint NOT NULL DEFAULT 0,
  refused_ptr        bigint NOT NULL DEFAULT 0,
  refused_policy     bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (source, provider, day)
) WITH (fillfactor = 50);

-- Where it rests, and what it was last refused with.
CREATE TABLE mxproof.source_states (
  source         text NOT NULL,
  provider       text NOT NULL,
  resting_since  timestamptz,
  -- Null while resting_since is set: until an operator resumes it.
  resting_until  timestamptz,
  -- `refusals`, or `operator`: by hand.
  rested_by      text,
  -- How long the latest rest was, which the next one doubles; and refusals in a row.
  rest_ms        bigint NOT NULL DEFAULT 0,
  refusals       integer NOT NULL DEFAULT 0,
  -- After a rest one session tries, of one node; until then it is waited for.
  trial_until    timestamptz,
  -- By hand: nodes then forget what single hosts have shown.
  resumed_at     timestamptz,
  refused_at     timestamptz,
  -- block, rate, ptr, policy.
  refusal_kind   text,
  refusal_reply  text,
  refusal_link   text,
  PRIMARY KEY (source, provider)
);
