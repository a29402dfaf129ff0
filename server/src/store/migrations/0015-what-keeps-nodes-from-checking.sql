-- What each node that checks says of its network (store/node-health.ts). May be lost in a crash: nodes say so every few
-- seconds.
CREATE UNLOGGED TABLE mxproof.node_health (
  node    uuid PRIMARY KEY,
  -- JSON: {obstacles: [{code, since}], reachedAt}; see rules/service-status.ts.
  health  text NOT NULL,
  said_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);
