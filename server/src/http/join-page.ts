// The pages behind an invitation's link. Promise: names of accounts and mailboxes are only text. Whoever is signed in here as themselves
// may join as that person, so that the account is one of theirs.
import type { Role } from '../rules/roles.ts';
import { INVITATION_DAYS } from '../store/invitations.ts';
import { plainHeaded, signInPages } from './sign-in-page.ts';
import { escapeHtml } from './wire/escape-html.ts';
import { ACCOUNT_SESSION } from './wire/session-cookie.ts';

const { proofHeader, proofStoredAs } = ACCOUNT_SESSION;

/** The cookie alone does not say who is signed in: the page asks with what it keeps beside it. */
const OFFER_PERSON = `
const asPerson = document.querySelector('[name=as]');
const offerPerson = async () => {
  const proof = localStorage.getItem('${proofStoredAs}');
  if (!proof) return;
  const answer = await fetch('/session', { headers: { '${proofHeader}': proof } });
  const { signed_in_as: who } = answer.ok ? await answer.json() : {};
  if (!who) return;
  asPerson.textContent = 'Join as ' + who;
  asPerson.hidden = false;
  document.querySelector('[name=alone]').textContent = 'Join as another person';
};
offerPerson().catch(() => {});
`;

/** A member who joins there can sign in again without another link. */
const OFFER_PROVIDER = `
const offerProvider = async () => {
  const answer = await fetch('/session/ways');
  const { openid } = answer.ok ? await answer.json() : {};
  if (!openid) return;
  const link = document.querySelector('a[hidden]');
  link.href = '/sign-in/openid?invitation=' + location.pathname.split('/').pop();
  link.textContent = 'Join with ' + openid.name;
  link.hidden = false;
};
offerProvider().catch(() => {});
`;

const PAGES = signInPages(ACCOUNT_SESSION, '/', OFFER_PERSON + OFFER_PROVIDER);
export const JOIN_POLICY = PAGES.policy;

const MAY: Readonly<Record<Role, string>> = {
  viewer: 'see lists and their results',
  member: 'check addresses, and see lists and their results',
  owner: 'check addresses, and manage keys, webhooks and members',
};
const NAMED: Readonly<Record<Role, string>> = { viewer: 'a viewer', member: 'a member', owner: 'an owner' };

export function joinPage(invitation: {
  readonly accountName: string;
  readonly email: string | null;
  readonly role: Role;
}): string {
  const { accountName, email, role } = invitation;
  const invited = email === null ? '' : `<p>Invited: <strong>${escapeHtml(email)}</strong></p>\n`;
  return PAGES.page(
    'Join an account of MXProof',
    `<p>Account: <strong>${escapeHtml(accountName)}</strong></p>
${invited}<p>As ${NAMED[role]} you can ${MAY[role]}.</p>`,
    '<button name="as" hidden></button> <button name="alone" autofocus>Join</button> <a hidden></a>',
  );
}

export function goneInvitationPage(): string {
  return plainHeaded(
    'This invitation no longer works',
    `<p>An invitation works once, within ${INVITATION_DAYS} days: this one was used, is too old, or was replaced.</p>
<p><a href="/">Open the console</a>: if you have joined in this browser, you are there.</p>
<p class="soft">For another link, ask an owner of the account.</p>`,
  );
}
