// The HTML form of a mail to a person. In colour and type it looks like the console (console/src/design/tokens.css).
// Promise: it loads nothing, names open no tag, and it reads well without its style: each part is a heading, a paragraph or a link.
import { escapeHtml } from '../../http/wire/escape-html.ts';

/** The colours of the console's marks: of light and of dark. */
const COUNT_COLORS = {
  deliverable: ['#157347', '#5fd39a'],
  risky: ['#8f5a00', '#f0b54a'],
  undeliverable: ['#b42318', '#ff9084'],
  unknown: ['#52606d', '#a9b7c4'],
} as const;

export interface MailSection {
  readonly title: string;
  /** Null: the mail speaks of one account alone, or of none. */
  readonly account: string | null;
  readonly lines: readonly string[];
  readonly counts: readonly {
    readonly label: string;
    readonly count: string;
    readonly mark: keyof typeof COUNT_COLORS;
  }[];
  readonly link: string;
  readonly linkText: string;
}

export interface MailParts {
  readonly sections: readonly MailSection[];
  /** Below the sections: what is only counted. */
  readonly rest: string | null;
  /** Why it is sent, and how it is stopped. */
  readonly why: readonly string[];
  readonly stop: { readonly link: string; readonly linkText: string } | null;
}

/** Light stands in the elements: programs that remove `<style>` have it. Dark needs the style to win over that. */
const DARK = [
  'body{background:#111315!important;color:#eef0f1!important}',
  '.card{background:#1a1d20!important;border-color:#2e3338!important}',
  '.soft,.soft a{color:#a7aeb5!important}',
  '.button{background:#8fb1ff!important;color:#0c1530!important}',
  ...Object.entries(COUNT_COLORS).map(([mark, [, dark]]) => `.${mark}{border-color:${dark}!important}`),
].join('');

export function mailHtml({ sections, rest, why, stop }: MailParts): string {
  const parts = [
    ...sections.map((section, at) => sectionHtml(section, at === 0 ? 20 : 40)),
    ...(rest === null ? [] : [paragraph(rest)]),
    ...why.map((line, at) => soft(escapeHtml(line), at === 0 ? 24 : 4)),
    ...(stop === null ? [] : [soft(anchor(stop, 'color:#55595e'), 4)]),
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>MXProof</title>
<style>@media (prefers-color-scheme: dark){${DARK}}</style></head>
<body style="margin:0;padding:16px;background:#f7f7f5;color:#1b1d1f;font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif;font-size:15px;line-height:1.5">
<div class="card" style="max-width:520px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dcdcd6;border-radius:16px;overflow-wrap:anywhere">
<p class="soft" style="margin:0;color:#55595e;font-size:13px;font-weight:600">MXProof</p>
${parts.join('\n')}
</div></body></html>
`;
}

function sectionHtml({ title, account, lines, counts, link, linkText }: MailSection, above: number): string {
  return [
    `<h1 style="margin:${above}px 0 8px;font-size:20px;line-height:1.3">${escapeHtml(title)}</h1>`,
    ...(account === null ? [] : [soft(escapeHtml(`Account ${account}`), 0)]),
    ...lines.map(paragraph),
    ...counts.map(
      ({ label, count, mark }) =>
        `<p class="${mark}" style="margin:0 0 6px;padding:1px 0 1px 12px;border-left:4px solid ${COUNT_COLORS[mark][0]}"><b>${count}</b> ${escapeHtml(label)}</p>`,
    ),
    `<p style="margin:20px 0">${anchor({ link, linkText }, 'display:inline-block;padding:10px 20px;border-radius:10px;background:#1d4ed8;color:#ffffff;font-weight:600;text-decoration:none', 'button')}</p>`,
  ].join('\n');
}

const paragraph = (text: string) => `<p style="margin:0 0 8px">${escapeHtml(text)}</p>`;

const soft = (html: string, above: number) =>
  `<p class="soft" style="margin:${above}px 0 8px;color:#55595e;font-size:13px">${html}</p>`;

function anchor(
  { link, linkText }: { readonly link: string; readonly linkText: string },
  style: string,
  name = '',
): string {
  const kind = name === '' ? '' : ` class="${name}"`;
  return `<a${kind} href="${escapeHtml(link)}" style="${style}">${escapeHtml(linkText)}</a>`;
}
