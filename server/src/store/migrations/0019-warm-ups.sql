-- How far each source is warmed up at each provider (rules/warm-up.ts): the limit of the last day on which something was to be
-- asked. Sources and providers as in source_days. A row that is as good as none is removed by the sweeps.
CREATE TABLE mxproof.warm_ups (
  source    text NOT NULL,
  provider  text NOT NULL,
  -- Since the epoch.
  begun_day bigint NOT NULL,
  day       bigint NOT NULL,
  per_day   bigint NOT NULL,
  -- Why that day did not grow: unused, unknown_recipients, refused, refused_often.
  held_back text,
  PRIMARY KEY (source, provider)
);
