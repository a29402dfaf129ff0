// The pages behind a sign-in link. Promise: an account's name is only text.
import { plainPage } from './plain-page.ts';
import { escapeHtml } from './wire/escape-html.ts';

export function signInPage(accountName: string): string {
  return page(
    'Sign in to MXProof',
    `<p>Account: <strong>${escapeHtml(accountName)}</strong></p>
<form method="post"><button autofocus>Sign in</button></form>
<p class="soft">This link works once.</p>`,
  );
}

/** `isGone`: the link itself is at fault. */
export function refusedPage(isGone: boolean): string {
  return isGone
    ? page(
        'This link no longer works',
        '<p>A sign-in link works once, for 15 minutes. Make another one with <code>mxproof account link</code>.</p>',
      )
    : page(
        'Not signed in',
        '<p>The request did not come from this service’s own page. Open the sign-in link again and use its button.</p>',
      );
}

// Overrides the header's no-referrer for this site only: with no-referrer browsers would send no `Origin` with the form,
// and without it the request would be refused as foreign.
function page(heading: string, body: string): string {
  return plainPage({
    title: 'MXProof',
    head: '<meta name="referrer" content="same-origin">',
    body: `<h1>${heading}</h1>\n${body}`,
  });
}
