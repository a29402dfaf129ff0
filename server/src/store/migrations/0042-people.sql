-- People of accounts: who may use an account in which role, and what proves who they are.

-- Somebody who has proved something: a mailbox, or to be who a sign-in provider says. Gone with the last membership.
CREATE TABLE mxproof.people (
  id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- In lower case. Proved by a link that was mailed there, or by a provider that has verified it; null: no mailbox is proved.
  email      text UNIQUE,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE mxproof.person_identities (
  issuer     text NOT NULL,
  subject    text NOT NULL,
  person_id  bigint NOT NULL REFERENCES mxproof.people ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (issuer, subject)
);
CREATE INDEX person_identities_person ON mxproof.person_identities (person_id);

CREATE TABLE mxproof.members (
  id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- A live one: its test side has the same members.
  account_id   bigint NOT NULL REFERENCES mxproof.accounts,
  -- In lower case, as invited, and proved by nothing; null: a provider's claim made the membership, and names no mailbox.
  email        text,
  role         text NOT NULL CHECK (role IN ('owner', 'member', 'viewer')),
  -- Once set, it is nobody else's; null: whoever joined has proved nothing but to have had the invitation's link.
  person_id    bigint REFERENCES mxproof.people,
  created_at   timestamptz NOT NULL DEFAULT now(),
  -- Null: invited.
  joined_at    timestamptz,
  -- At most a minute behind: not every request writes.
  last_seen_at timestamptz,
  -- Lists that this member starts are mailed of when they are done, unless another choice is made beside Start.
  list_mail    boolean NOT NULL DEFAULT false,
  UNIQUE (account_id, email),
  UNIQUE (account_id, person_id),
  CHECK (person_id IS NULL OR joined_at IS NOT NULL),
  CHECK (num_nonnulls(email, person_id) > 0)
);
CREATE INDEX members_email ON mxproof.members (email) WHERE email IS NOT NULL AND person_id IS NULL;
CREATE INDEX members_person ON mxproof.members (person_id) WHERE person_id IS NOT NULL;

-- Links that let somebody join; gone when redeemed.
CREATE TABLE mxproof.invitations (
  hash       bytea PRIMARY KEY,
  member_id  bigint NOT NULL REFERENCES mxproof.members ON DELETE CASCADE,
  -- Sent to the member's mailbox and shown to nobody else, so that it proves the mailbox as well.
  by_mail    boolean NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX invitations_member ON mxproof.invitations (member_id);

-- Links that were mailed to sign a person in; gone when redeemed.
CREATE TABLE mxproof.mailed_links (
  hash       bytea PRIMARY KEY,
  -- In lower case: whoever redeems it has proved this mailbox.
  email      text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX mailed_links_email ON mxproof.mailed_links (email);

-- Sign-ins with OpenID Connect that are under way; gone when the provider has answered.
CREATE TABLE mxproof.openid_flows (
  -- Of the state, which the provider gives back.
  state_hash      bytea PRIMARY KEY,
  -- Of the cookie of the browser that began it.
  browser_hash    bytea NOT NULL,
  nonce           text NOT NULL,
  -- Of PKCE. Worth nothing without the provider's code.
  verifier        text NOT NULL,
  -- Begun on the page of this invitation.
  invitation_hash bytea,
  created_at      timestamptz NOT NULL DEFAULT now()
);

ALTER TABLE mxproof.sessions
  -- Whose session it is, in the role that the member has at that moment; null: of a key or a link.
  ADD COLUMN member_id bigint REFERENCES mxproof.members ON DELETE CASCADE,
  -- Signed in by a proof of their own, and may switch to their other accounts; null: to this membership alone.
  ADD COLUMN person_id bigint REFERENCES mxproof.people ON DELETE CASCADE;
CREATE INDEX sessions_member ON mxproof.sessions (member_id) WHERE member_id IS NOT NULL;
CREATE INDEX sessions_person ON mxproof.sessions (person_id) WHERE person_id IS NOT NULL;

-- The member who wants mail when the list is done. No foreign key: the member may have gone, and then nobody is told.
ALTER TABLE mxproof.lists ADD COLUMN mail_member_id bigint;
