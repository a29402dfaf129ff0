-- A node that was told to stop takes no share of the work any more, but what its source addresses asked first waits a
-- while for it to come back: a restart must not begin the greylisting anew.
ALTER TABLE mxproof.nodes ADD COLUMN has_left boolean NOT NULL DEFAULT false;
