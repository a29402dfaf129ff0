-- Nodes that serve HTTP, and where (store/http-nodes.ts): whoever makes a sign-in link must know.
CREATE TABLE mxproof.http_nodes (
  id         uuid PRIMARY KEY,
  url        text NOT NULL,
  -- An operator has said that browsers reach it there; else it is where the node listens.
  is_public  boolean NOT NULL,
  machine    text NOT NULL,
  seen_at    timestamptz NOT NULL DEFAULT now()
);
