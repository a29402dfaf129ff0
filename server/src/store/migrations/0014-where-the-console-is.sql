-- Nodes that serve HTTP, and their URLs (store/http-nodes.ts): "mxproof account link" makes its link with one of them.
CREATE TABLE mxproof.http_nodes (
  id         uuid PRIMARY KEY,
  url        text NOT NULL,
  -- An operator has said that browsers reach it there; else it is where the node listens.
  is_public  boolean NOT NULL,
  machine    text NOT NULL,
  seen_at    timestamptz NOT NULL DEFAULT now()
);
