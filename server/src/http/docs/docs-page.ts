// The page at /docs, and another like it: the Scalar API reference over an OpenAPI document, from this origin alone.
// Promise: nothing on the page asks another host, and the page runs no script but Scalar's file, which begins
// with a few lines of our own.
import { createHash } from 'node:crypto';
import { type SharedFile, sharedFile } from '../shared-file.ts';
import { ACCOUNT_SESSION, type SessionKind } from '../wire/session-cookie.ts';
import { PAGE_SCRIPT } from './page-script.ts';
import { readScalar } from './scalar-script.ts';

/** Inline styles are allowed here only: Scalar makes them as it runs. */
export const PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'unsafe-inline'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Whatever of Scalar asks its makers' hosts is off: fonts, proxy, telemetry, assistants, sharing. */
const SETTINGS = {
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  defaultOpenAllTags: true,
  persistAuth: false,
  documentDownloadType: 'direct',
  customCss: ':root { --scalar-font: system-ui, sans-serif; --scalar-font-code: ui-monospace, monospace; }',
};

const BAR_HEIGHT = '3rem';

/** Colours as Scalar has them, so that its switch between light and dark is ours too. */
const STYLE = `
:root { --scalar-custom-header-height: ${BAR_HEIGHT}; }
body { margin: 0; }
#bar { position: sticky; top: 0; z-index: 20; box-sizing: border-box; height: ${BAR_HEIGHT}; padding: 0 1rem;
  display: flex; align-items: center; justify-content: space-between; gap: 1rem;
  font: .875rem/1.3 system-ui, sans-serif; color: var(--scalar-color-1);
  background: var(--scalar-background-1); border-bottom: 1px solid var(--scalar-border-color); }
#bar a { color: inherit; }
#bar > a { flex: none; display: flex; align-items: center; min-height: 2.75rem; font-weight: 600; text-decoration: none; }
#bar > a:hover { text-decoration: underline; }
#who { margin: 0; overflow: hidden; overflow-wrap: anywhere; text-align: end; text-wrap: balance;
  display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; }
#bar :focus-visible { outline: 2px solid; outline-offset: 2px; }
/* Lies on the address of the request; the menu of the page does the same. */
@media (max-width: 48rem) { .scalar-sidebar-toggle { display: none; } }`;

export interface DocsPage {
  readonly html: string;
  readonly scriptName: string;
  readonly script: SharedFile;
}

/** What a page is about. */
export interface Documented {
  readonly title: string;
  /** The OpenAPI document. */
  readonly document: string;
  /** The same as text, in HTML: a link. */
  readonly asText: string;
  readonly home: { readonly path: string; readonly name: string };
  readonly session: SessionKind;
  /** Answers whose session it is. */
  readonly who: string;
}

export const API_DOCS: Documented = {
  title: 'MXProof API',
  document: '/v1/openapi.json',
  asText: '<a href="/llms.txt">the endpoints as text</a>',
  home: { path: '/', name: 'Console' },
  session: ACCOUNT_SESSION,
  who: '/v1/account',
};

/** At the first request, once (ADR 0036). All pages have one script. */
export async function makeDocsPage(documented: Documented): Promise<DocsPage> {
  const plain = Buffer.from(PAGE_SCRIPT + (await readScalar()));
  const scriptName = `scalar-${createHash('sha256').update(plain).digest('hex').slice(0, 16)}.js`;
  const script = sharedFile({ type: 'text/javascript; charset=utf-8', plain, cached: 'lasting' });
  return { html: page(documented, scriptName), scriptName, script };
}

function page({ title, document, asText, home, session, who }: Documented, script: string): string {
  const settings = JSON.stringify({ url: document, ...SETTINGS });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<noscript>This page needs JavaScript. Without it, read ${asText} or
<a href="${document}">the OpenAPI document</a>.</noscript>
<header id="bar" data-stored="${session.proofStoredAs}" data-header="${session.proofHeader}" data-who="${who}"><a href="${home.path}">← ${home.name}</a><p id="who" role="status">Not signed in: enter a key, or <a href="${home.path}">sign in</a></p></header>
<div id="api-reference" data-configuration="${settings.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></div>
<script src="/docs/${script}"></script>
</body>
</html>
`;
}
