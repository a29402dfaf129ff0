// The pages behind a sign-in link. Promise: they run no script and load nothing, and an account's name is only text.
import { createHash } from 'node:crypto';
import { escapeHtml } from './wire/escape-html.ts';

const STYLE = `body{font:16px/1.5 system-ui,sans-serif;max-width:26rem;margin:20vh auto;padding:0 1rem;color:#1a1a1a;background:#fff}
button{font:inherit;padding:.5rem 1.25rem;border:0;border-radius:.375rem;background:#1f5fd0;color:#fff;cursor:pointer}
@media (prefers-color-scheme:dark){body{color:#eee;background:#151515}}`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
export const SIGN_IN_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

export function signInPage(accountName: string): string {
  return html(`<h1>Sign in to MXProof</h1>
<p>Account: <strong>${escapeHtml(accountName)}</strong></p>
<form method="post"><button>Sign in</button></form>
<p>This link works once.</p>`);
}

/** `isGone`: the link itself is at fault. */
export function refusedPage(isGone: boolean): string {
  return html(
    isGone
      ? `<h1>This link no longer works</h1>
<p>A sign-in link works once, for 15 minutes. Make another one with <code>mxproof account link</code>.</p>`
      : `<h1>Not signed in</h1>
<p>The request did not come from this service’s own page. Open the sign-in link again and use its button.</p>`,
  );
}

// The header says no-referrer, and for everything that leaves this site so it is. Under that policy browsers would
// withhold the origin from the form as well, by which we know our own page.
function html(body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="same-origin"><title>MXProof</title><style>${STYLE}</style></head>
<body>${body}</body></html>
`;
}
