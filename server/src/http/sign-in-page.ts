// The pages behind a sign-in link. Promise: an account's name is only text.
import { createHash } from 'node:crypto';
import { PLAIN_POLICY, plainPage } from './plain-page.ts';
import { escapeHtml } from './wire/escape-html.ts';
import { ACCOUNT_SESSION, OPERATOR_SESSION, type SessionKind } from './wire/session-cookie.ts';

/** Storage is tried before the link is used up. A link that is gone has a page of its own. */
const scriptFor = ({ proofStoredAs, proofHeader }: SessionKind, home: string) => `
const button = document.querySelector('button');
const say = (text) => { document.querySelector('[role=alert]').textContent = text; };
const signIn = async () => {
  let before;
  try {
    before = localStorage.getItem('${proofStoredAs}') ?? '';
    localStorage.setItem('${proofStoredAs}', before);
  } catch {
    return say('Allow this site to store data in your browser, and try again.');
  }
  const answer = await fetch(location.href, { method: 'POST', headers: { '${proofHeader}': before } });
  if (answer.status === 404) return location.reload();
  const { proof, error } = await answer.json();
  if (!answer.ok) return say('Not signed in: ' + error + '.');
  localStorage.setItem('${proofStoredAs}', proof);
  location.replace('${home}');
};
button.addEventListener('click', async () => {
  button.disabled = true;
  await signIn().catch(() => say('No answer from the service: try again.'));
  button.disabled = false;
});
`;
const ACCOUNT_SCRIPT = scriptFor(ACCOUNT_SESSION, '/');
const OPERATOR_SCRIPT = scriptFor(OPERATOR_SESSION, '/operator');
const [ACCOUNT_HASH, OPERATOR_HASH] = [ACCOUNT_SCRIPT, OPERATOR_SCRIPT].map((script) =>
  createHash('sha256').update(script).digest('base64'),
);
const policyWith = (hash: string | undefined) =>
  `${PLAIN_POLICY}; script-src 'sha256-${hash}'; connect-src 'self'`;
export const SIGN_IN_POLICY = policyWith(ACCOUNT_HASH);
export const OPERATOR_SIGN_IN_POLICY = policyWith(OPERATOR_HASH);

export function signInPage(accountName: string): string {
  return page(
    'Sign in to MXProof',
    `<p>Account: <strong>${escapeHtml(accountName)}</strong></p>\n${buttonWith(ACCOUNT_SCRIPT)}`,
  );
}

export function operatorSignInPage(): string {
  return page(
    'Sign in as operator',
    `<p>You will see source addresses and the doctor’s reports; nothing of any account.</p>\n${buttonWith(OPERATOR_SCRIPT)}`,
  );
}

const buttonWith = (script: string) => `<p><button autofocus>Sign in</button></p>
<p role="alert"></p>
<noscript><p>Signing in needs JavaScript, and so does the console.</p></noscript>
<p class="soft">This link works once.</p>
<script>${script}</script>`;

export function goneLinkPage(): string {
  return page(
    'This link no longer works',
    `<p>A sign-in link works once, within 15 minutes: this one was used, or is too old.</p>
<p><a href="/">Open the console</a>: if this browser is signed in, you are there; if not, sign in with an API key.</p>
<p class="soft">For another link, ask the operator of this service, who makes one with <code>mxproof account link</code>.</p>`,
  );
}

export function goneOperatorLinkPage(): string {
  return page(
    'This link no longer works',
    `<p>An operator’s sign-in link works once, within 15 minutes: this one was used, or is too old.</p>
<p>Make another with <code>mxproof admin link</code>, on a machine of the service.</p>
<p><a href="/operator">Open the operator’s pages</a>, if this browser is signed in.</p>`,
  );
}

const page = (heading: string, body: string) =>
  plainPage({ title: 'MXProof', body: `<h1>${heading}</h1>\n${body}` });
