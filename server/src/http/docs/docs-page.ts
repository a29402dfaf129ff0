// The page at /docs: the Scalar API reference over /v1/openapi.json, from this origin alone.
// Promise: nothing on the page asks another host, and the page runs no script but Scalar's file, which begins
// with a few lines of our own.
import { createHash } from 'node:crypto';
import { type SharedFile, sharedFile } from '../shared-file.ts';
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
  url: '/v1/openapi.json',
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

/** At the first request, once (ADR 0036). */
export async function makeDocsPage(): Promise<DocsPage> {
  const plain = Buffer.from(PAGE_SCRIPT + (await readScalar()));
  const scriptName = `scalar-${createHash('sha256').update(plain).digest('hex').slice(0, 16)}.js`;
  const script = sharedFile({ type: 'text/javascript; charset=utf-8', plain, cached: 'lasting' });
  return { html: page(scriptName), scriptName, script };
}

const page = (script: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>MXProof API</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<noscript>This page needs JavaScript. Without it, read <a href="/llms.txt">the endpoints as text</a> or
<a href="/v1/openapi.json">the OpenAPI document</a>.</noscript>
<header id="bar"><a href="/">← Console</a><p id="who" role="status">Not signed in: enter a key, or <a href="/">sign in</a></p></header>
<div id="api-reference" data-configuration="${JSON.stringify(SETTINGS).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></div>
<script src="/docs/${script}"></script>
</body>
</html>
`;
