// The pages behind a sign-in link. Promise: an account's name is only text.
import { createHash } from 'node:crypto';
import { type ErrorCode, wording } from './errors.ts';
import { PLAIN_POLICY, plainPage } from './plain-page.ts';
import { escapeHtml } from './wire/escape-html.ts';
import { ACCOUNT_SESSION, type SessionKind } from './wire/session-cookie.ts';

/** Storage is tried before the link is used up. A link that is gone has a page of its own. */
const scriptFor = ({ proofStoredAs, proofHeader }: SessionKind, home: string) => `
const say = (text) => { document.querySelector('[role=alert]').textContent = text; };
const signIn = async (path) => {
  let before;
  try {
    before = localStorage.getItem('${proofStoredAs}') ?? '';
    localStorage.setItem('${proofStoredAs}', before);
  } catch {
    return say('Allow this site to store data in your browser, and try again.');
  }
  const answer = await fetch(path, { method: 'POST', headers: { '${proofHeader}': before } });
  if (answer.status === 404) return location.reload();
  const { proof, error } = await answer.json();
  if (!answer.ok) return say('Not signed in: ' + error + '.');
  localStorage.setItem('${proofStoredAs}', proof);
  location.replace('${home}');
};
for (const button of document.querySelectorAll('button'))
  button.addEventListener('click', async () => {
    button.disabled = true;
    const search = button.name === 'as' ? '?as=person' : '';
    await signIn(button.value || location.pathname + search).catch(() => say('No answer from the service: try again.'));
    button.disabled = false;
  });
`;

/** Of sessions of a kind, whose pages begin at `home`; `more` is done by their script besides. */
export function signInPages(kind: SessionKind, home: string, more = '') {
  const script = scriptFor(kind, home) + more;
  const hash = createHash('sha256').update(script).digest('base64');
  return {
    policy: `${PLAIN_POLICY}; script-src 'sha256-${hash}'; connect-src 'self'`,
    page: (heading: string, html: string, buttons = '<button autofocus>Sign in</button>') =>
      plainHeaded(heading, `${html}\n${buttonsWith(buttons, 'This link works once.', script)}`),
    /** Signs in at `path`, and by itself, if its script does. */
    ownPage: (path: string) =>
      plainHeaded(
        'Signing in',
        buttonsWith(
          `<button autofocus value="${path}">Sign in</button>`,
          `If nothing happens, press the button. You can also <a href="${home}">begin again</a>.`,
          script,
        ),
      ),
  };
}

export const SIGN_IN_PAGES = signInPages(ACCOUNT_SESSION, '/');
export const SIGN_IN_POLICY = SIGN_IN_PAGES.policy;

export function signInPage(accountName: string): string {
  return SIGN_IN_PAGES.page(
    'Sign in to MXProof',
    `<p>Account: <strong>${escapeHtml(accountName)}</strong></p>`,
  );
}

function buttonsWith(buttons: string, note: string, script: string): string {
  return `<p>${buttons}</p>
<p role="alert"></p>
<noscript><p>Signing in needs JavaScript, and so does the console.</p></noscript>
<p class="soft">${note}</p>
<script>${script}</script>`;
}

export function goneLinkPage(): string {
  return plainHeaded(
    'This link no longer works',
    `<p>A sign-in link works once, within 15 minutes: this one was used, or is too old.</p>
<p><a href="/">Open the console</a>: if this browser is signed in, you are there; if not, it says how to sign in.</p>
<p class="soft">For another link, ask the operator of this service, who makes one with <code>mxproof account link</code>.</p>`,
  );
}

const TOO_MANY = 'too many tries from your network: wait a minute, and load this page again';

/** What a browser is told that was to be signed in. `home`: where it can begin again. */
export function notSignedInPage(why: ErrorCode, home: string): { policy: string; page: string } {
  const message = why === 'rate_limited' ? TOO_MANY : wording(why).message;
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.`;
  const page = plainHeaded(
    'Not signed in',
    `<p>${escapeHtml(sentence)}</p>\n<p><a href="${escapeHtml(home)}">Go to the sign-in page</a></p>`,
  );
  return { policy: PLAIN_POLICY, page };
}

export function plainHeaded(heading: string, body: string): string {
  return plainPage({ title: 'MXProof', body: `<h1>${heading}</h1>\n${body}` });
}
