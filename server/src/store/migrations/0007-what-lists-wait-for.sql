-- What addresses wait for that left their chunk's own job: one row per job that waits, written with it and gone when a node
-- claims it; from then on that node tells (below).
CREATE TABLE mxproof.deferred (
  list_id    bigint NOT NULL REFERENCES mxproof.lists ON DELETE CASCADE,
  n          integer NOT NULL,
  -- The job's number within its chunk; see rules/chunk-owners.ts.
  owner      integer NOT NULL,
  not_before timestamptz NOT NULL,
  -- [{why, host, provider, addresses, attempt}]
  groups     jsonb NOT NULL,
  PRIMARY KEY (list_id, n, owner)
);

-- When each node that holds work last said what it waits for. May be lost in a crash: nodes say so every second.
CREATE UNLOGGED TABLE mxproof.node_looks (
  node      uuid PRIMARY KEY,
  looked_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- What it said, by list. No reference to the list: a list that is deleted must not fail a whole node's report.
CREATE UNLOGGED TABLE mxproof.node_waiting (
  node    uuid NOT NULL REFERENCES mxproof.node_looks ON DELETE CASCADE,
  list_id bigint NOT NULL,
  -- JSON: {checking, others, groups}; see rules/list-waiting.ts.
  waiting text NOT NULL,
  PRIMARY KEY (list_id, node)
) WITH (fillfactor = 50);
CREATE INDEX node_waiting_node ON mxproof.node_waiting (node);

-- The jobs that wait already. Versions before this one stored what the mail server meant, and no word for it.
DO $$
BEGIN
  IF to_regclass('mxproof_jobs.job') IS NULL THEN RETURN; END IF;
  INSERT INTO mxproof.deferred (list_id, n, owner, not_before, groups)
  SELECT g.list_id, g.n, g.owner, g.not_before, jsonb_agg(jsonb_build_object(
      'why', g.why, 'host', g.host, 'provider', g.provider, 'addresses', g.addresses, 'attempt', g.attempt))
  FROM (
    SELECT l.id AS list_id, (j.data->>'n')::int AS n, (j.data->>'owner')::int AS owner, j.start_after AS not_before,
      CASE w.resume->>'meaning'
        WHEN 'greylisted' THEN 'greylisted'
        WHEN 'rate_limited' THEN 'rate_limited'
        WHEN 'blocked' THEN 'blocked'
        WHEN 'sender_refused' THEN 'sender_refused'
        WHEN 'over_quota' THEN 'mailbox_full'
        WHEN 'tls_required' THEN 'tls_failed'
        WHEN 'temporary' THEN 'temporary'
        WHEN 'too_many_recipients' THEN 'temporary'
        WHEN 'mailbox_busy' THEN 'temporary'
        ELSE CASE WHEN w.resume->>'meaning' IS NOT NULL THEN 'unclear'
                  -- Asked, and nothing was heard.
                  WHEN (w.resume->>'mute')::boolean THEN 'timeout'
                  WHEN (w.resume->>'attempt')::int > 0 AND w.resume->>'mx' IS NOT NULL THEN 'timeout'
                  ELSE 'queued' END
      END AS why,
      w.resume->>'mx' AS host, nullif(w.resume->>'provider', '') AS provider,
      count(*) AS addresses, coalesce(min((w.resume->>'attempt')::int), 0) + 1 AS attempt
    FROM mxproof_jobs.job j
    JOIN mxproof.lists l ON l.id = (j.data->>'listId')::bigint AND l.finished_at IS NULL
    CROSS JOIN LATERAL jsonb_to_recordset(j.data->'waiting') AS w (position int, resume jsonb)
    WHERE j.name = 'chunk' AND j.state < 'active' AND j.data->>'waiting' IS NOT NULL AND j.data->>'owner' IS NOT NULL
    GROUP BY 1, 2, 3, 4, 5, 6, 7) AS g
  GROUP BY g.list_id, g.n, g.owner, g.not_before
  ON CONFLICT DO NOTHING;
END $$;
