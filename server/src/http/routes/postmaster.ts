// For the administrator of a mail server who wonders who is asking: opened at the HELO name's own address, or at
// /postmaster, it says what was asked, what is never done, and how to opt out.
import type { FastifyInstance, FastifyReply } from 'fastify';
import { PLAIN_POLICY, plainPage } from '../plain-page.ts';
import { escapeHtml } from '../wire/escape-html.ts';

export interface ShownIdentity {
  /** What the service calls itself towards mail servers; empty: the machine's own name. */
  readonly heloNames: readonly string[];
  /** Its IP addresses, where the operator has named them. */
  readonly addresses: readonly string[];
  /** A mail address or an https URL; null: the operator has published none. */
  readonly abuseContact: string | null;
}

/** A deployment does not serve the guide. */
const REASONS = 'https://github.com/mxproof/mxproof/blob/main/docs/guide/what-we-refuse.md';
const ROOT = /^\/(\?|$)/;

export function postmasterRoutes(app: FastifyInstance, asker: ShownIdentity): void {
  const page = postmasterPage(asker);
  const names = new Set(asker.heloNames.map((name) => name.toLowerCase()));
  const options = { config: { open: true }, schema: { hide: true } };
  const send = (reply: FastifyReply) =>
    reply.header('content-security-policy', PLAIN_POLICY).type('text/html; charset=utf-8').send(page);
  app.get('/postmaster', options, async (_, reply) => send(reply));
  // Before any page of our own that is at the same path under another name.
  app.addHook('onRequest', async (request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (!isRead || !ROOT.test(request.url)) return;
    // What is here depends on the name asked for, which a proxy may have from a header that no cache goes by.
    reply.header('cache-control', 'no-store');
    if (names.has(request.hostname.toLowerCase())) return send(reply);
  });
}

export function postmasterPage({ heloNames, addresses, abuseContact }: ShownIdentity): string {
  return plainPage({
    title: 'Who is asking your mail server?',
    isLong: true,
    body: `<h1>Who is asking your mail server?</h1>
<p>This host runs MXProof, which tells people whether the addresses on their own mailing lists still exist, so that they
can remove those that do not before they write to them.</p>
${named('It introduces itself as', heloNames)}${named('It connects from', addresses)}<h2>What you see in your log</h2>
<ul>
<li>A connection with <code>EHLO</code>, <code>MAIL FROM</code>, one or more <code>RCPT TO</code>, and <code>QUIT</code>.
No <code>DATA</code>: no message is ever sent.</li>
<li>One made-up recipient per domain, a long random name, to learn whether the domain accepts every address.</li>
<li>Few connections at a time, fewer as soon as your server defers or refuses. A server that blocks this host is left
alone for a while, longer each time.</li>
</ul>
<h2>What it never does</h2>
<ul>
<li>Send a message, or start one.</li>
<li>Try to log in, sign up or recover a password to see whether an account exists.</li>
<li>Ask third parties about your users.</li>
<li>Go around a block: a server that refuses this host is not asked from another address.</li>
</ul>
<p>The reasons: <a href="${REASONS}">What MXProof refuses to do</a>.</p>
<h2>How to opt out</h2>
${optOut(abuseContact)}
<p>You can also refuse this host, for example with <code>554 5.7.1</code> at connect. That is respected, and the
addresses in question are reported as unknown, not as invalid.</p>`,
  });
}

function named(words: string, names: readonly string[]): string {
  const codes = names.map((name) => `<code>${escapeHtml(name)}</code>`);
  return codes.length === 0 ? '' : `<p>${words} ${codes.join(', ')}.</p>\n`;
}

function optOut(abuseContact: string | null): string {
  if (abuseContact === null)
    return '<p>The operator of this host has not published a contact. Its network’s abuse desk knows who it is.</p>';
  const href = abuseContact.startsWith('https://') ? abuseContact : `mailto:${abuseContact}`;
  return `<p>Write to <a href="${escapeHtml(href)}">${escapeHtml(abuseContact)}</a> and name your domains or mail servers. The
operator adds them to the list of names that are never connected to.</p>`;
}
