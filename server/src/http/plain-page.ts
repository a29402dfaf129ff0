// Self-contained pages: behind a sign-in link, while the console is built, for postmasters. In colour and type they look
// like the console (console/src/design/tokens.css). Promise: they load nothing,
// and run no script but one that a page's own policy names by its hash.
import { createHash } from 'node:crypto';

const STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1b1d1f, #eef0f1); --soft: light-dark(#55595e, #a7aeb5);
  --edge: light-dark(#dcdcd6, #2e3338); --accent: light-dark(#1d4ed8, #8fb1ff); }
body { font: .9375rem/1.6 ui-sans-serif, system-ui, sans-serif; margin: 0; padding: 1rem; color: var(--ink);
  background: light-dark(#f7f7f5, #111315); }
main { max-width: 26rem; margin: 12vh auto; padding: 2rem; border: 1px solid var(--edge); border-radius: 16px;
  background: light-dark(#fff, #1a1d20); overflow-wrap: anywhere; }
main.long { max-width: 42rem; margin: 3rem auto; }
svg { display: block; width: 2.5rem; }
h1 { font-size: 1.75rem; line-height: 1.2; letter-spacing: -.01em; margin: 1.25rem 0 .75rem; }
h2 { font-size: 1.125rem; margin: 2rem 0 .5rem; }
ul { padding-left: 1.2rem; }
li { margin: .3rem 0; }
a { color: var(--accent); }
code { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: anywhere;
  background: light-dark(#eeeeea, #0c0e10); padding: .1em .3em; border-radius: 6px; }
p:has(> button) { display: flex; flex-wrap: wrap; align-items: center; gap: .75rem 1.25rem; }
button { font: inherit; font-weight: 600; min-height: 2.75rem; padding: .5rem 1.5rem; border: 0; border-radius: 10px;
  color: light-dark(#fff, #0c1530); background: var(--accent); cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.soft { color: var(--soft); font-size: .8125rem; margin-bottom: 0; }`;

const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');
export const PLAIN_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'`;

const LOGO = `<svg viewBox="0 0 32 32" role="img" aria-label="MXProof"><rect width="32" height="32" rx="8" fill="#1d4ed8"/>
<path d="M7 11.5h18v10.5H7z" fill="none" stroke="#fff" stroke-width="2" stroke-linejoin="round"/>
<path d="m10.5 15.5 4 4 7.5-9" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

export interface PlainPage {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  /** HTML. */
  readonly head?: string;
  /** For reading, not for one sentence and a button. */
  readonly isLong?: boolean;
}

export function plainPage({ title, body, head = '', isLong = false }: PlainPage): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">${head}<title>${title}</title><style>${STYLE}</style></head>
<body><main${isLong ? ' class="long"' : ''}>${LOGO}
${body}
</main></body></html>
`;
}
