-- The key before, while a rotation goes on: what it has sealed is sealed again with the one whose fingerprint this is. Every node says
-- which keys it has: a rotation does not begin before all have the new one.
ALTER TABLE mxproof.secret_key ADD COLUMN previous bytea;
ALTER TABLE mxproof.nodes ADD COLUMN keys bytea[] NOT NULL DEFAULT '{}';
ALTER TABLE mxproof.http_nodes ADD COLUMN keys bytea[] NOT NULL DEFAULT '{}';
