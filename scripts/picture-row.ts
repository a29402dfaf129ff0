// Pictures side by side with a caption each, and what a terminal showed as one of them.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';

export const SIZE = { width: 1_000, height: 660 };
export const PHONE_SIZE = { width: 390, height: 844 };
/** Of each picture in a row, at most. */
const SHOWN_WIDTH = 560;
const LINE_CHARACTERS = 96;
const MAX_LINES = 29;
const WRAPPED = new RegExp(`.{1,${LINE_CHARACTERS}}`, 'g');

export interface Picture {
  readonly caption: string;
  readonly png: Buffer;
}

/** `lines` beginning with `$ ` are what was typed. The last ones are shown where there are more than fit. */
export async function terminalPicture(browser: Browser, caption: string, shown: string): Promise<Picture> {
  const lines = shown
    .replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '')
    .split(/\r*\n/)
    // About the settings of this machine's npm, not about what is shown.
    .filter((line) => !line.startsWith('npm warn Unknown user config'))
    // What a line was overwritten with is what is seen of it.
    .map((line) => line.split('\r').at(-1)!)
    .flatMap((line) => line.match(WRAPPED) ?? [''])
    .slice(-MAX_LINES);
  const body = lines
    .map((line) => (line.startsWith('$ ') ? `<b>${escapeHtml(line)}</b>` : escapeHtml(line)))
    .join('\n');
  const html = `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #14181f; color: #d5dbe5; }
    i { display: inline-block; width: 12px; height: 12px; border-radius: 50%; margin: 12px 0 0 12px; background: #39414f; }
    pre { margin: 8px 16px; font: 16px/21px "DejaVu Sans Mono", monospace; }
    b { color: #8fd6a5; font-weight: 600; }
    </style><i></i><i></i><i></i><pre>${body}</pre>`;
  return { caption, png: await picture(browser, html, SIZE) };
}

export async function writeRow(
  browser: Browser,
  path: string,
  pictures: readonly Picture[],
  size = SIZE,
): Promise<void> {
  const shownWidth = Math.min(SHOWN_WIDTH, size.width);
  const figures = pictures.map(
    ({ caption, png }, at) =>
      `<figure><figcaption><b>${at + 1}</b> ${escapeHtml(caption)}</figcaption><img src="data:image/png;base64,${png.toString('base64')}"></figure>`,
  );
  const html = `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #fff; color: #1c2430; font: 17px/1.35 "DejaVu Sans", sans-serif; }
    main { display: flex; gap: 20px; padding: 20px; width: max-content; }
    figure { margin: 0; width: ${shownWidth}px; }
    figcaption { height: ${size.width < SHOWN_WIDTH ? 75 : 50}px; }
    b { color: #1f7a4d; }
    img { width: ${shownWidth}px; border: 1px solid #d5dbe5; border-radius: 6px; }
    </style><main>${figures.join('')}</main>`;
  const width = pictures.length * (shownWidth + 20) + 20;
  const height = Math.ceil((shownWidth * size.height) / size.width) + 120;
  writeFileSync(path, await picture(browser, html, { width, height }));
}

async function picture(
  browser: Browser,
  html: string,
  viewport: { width: number; height: number },
): Promise<Buffer> {
  const page = await browser.newPage({ viewport });
  await page.setContent(html);
  const png = await page.screenshot();
  await page.close();
  return png;
}

/** The first block of code after `<!-- tested: name -->`. */
export function testedBlock(file: string, name: string): string {
  const text = readFileSync(file, 'utf8');
  const found = new RegExp(`<!-- tested: ${name} -->\\s*\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(text);
  if (found === null) throw new Error(`${file} has no block "${name}".`);
  return found[1]!;
}

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
