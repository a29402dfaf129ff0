// The page at /docs: the Scalar API reference over /v1/openapi.json, from this origin alone.
// Promise: nothing on the page asks another host, and the page runs no script but Scalar's file, which begins
// with a few lines of our own.
import { createHash } from 'node:crypto';
import { type SharedFile, sharedFile } from '../shared-file.ts';
import { CONSOLE_HEADER } from '../wire/same-origin.ts';
import { PROOF_HEADER, PROOF_STORED_AS } from '../wire/session-cookie.ts';
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

/** One of Scalar's parts tries whether it may compile code, which the policy would refuse and report; told so, it does not. */
const NO_EVAL = 'globalThis.__zod_globalConfig={jitless:true};\n';

/** Requests without a key (Scalar then sends the bare word) go as this browser's session, as those of the console do. */
const AS_SESSION = `{
  const send = globalThis.fetch;
  const proofOf = () => { try { return localStorage.getItem('${PROOF_STORED_AS}'); } catch { return null; } };
  globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    const proof = proofOf();
    const isOurs = new URL(request.url).origin === location.origin;
    const hasKey = !/^(bearer)?$/i.test((request.headers.get('authorization') ?? '').trim());
    if (!proof || !isOurs || hasKey) return send(request);
    request.headers.delete('authorization');
    request.headers.set('${PROOF_HEADER}', proof);
    request.headers.set('${CONSOLE_HEADER}', '1');
    return send(request);
  };
}
`;

export interface DocsPage {
  readonly html: string;
  readonly scriptName: string;
  readonly script: SharedFile;
}

/** At the first request, once (ADR 0036). */
export async function makeDocsPage(): Promise<DocsPage> {
  const plain = Buffer.from(NO_EVAL + AS_SESSION + (await readScalar()));
  const scriptName = `scalar-${createHash('sha256').update(plain).digest('hex').slice(0, 16)}.js`;
  const script = sharedFile({ type: 'text/javascript; charset=utf-8', plain, isLasting: true });
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
</head>
<body>
<noscript>This page needs JavaScript. Without it, read <a href="/llms.txt">the endpoints as text</a> or
<a href="/v1/openapi.json">the OpenAPI document</a>.</noscript>
<div id="api-reference" data-configuration="${JSON.stringify(SETTINGS).replaceAll('&', '&amp;').replaceAll('"', '&quot;')}"></div>
<script src="/docs/${script}"></script>
</body>
</html>
`;
