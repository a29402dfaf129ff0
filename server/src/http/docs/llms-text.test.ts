// The programs in it are run by cli/src/llms-text.test.ts and clients/python/tests/test_guides.py.
import { DETAIL_WORDS } from '@mxproof/common/vocabulary/labels';
import { REASON_WORDS } from '@mxproof/common/vocabulary/verdicts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { WEBHOOK_EVENTS } from '../../rules/webhook-events.ts';
import { ERROR_CODES } from '../errors.ts';
import { NOT_FOR_PROGRAMS } from './llms-text.ts';

/** What a model is given of it beside everything else. */
const MAX_BYTES = 16_000;

let service: TestService;
let text: string;
beforeAll(async () => {
  service = await startService();
  const { status, headers, text: body } = await service.call('GET', '/llms.txt', { key: null });
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  text = body;
});
afterAll(() => service.close());

test('it is at most 16 kB, of the form of llmstxt.org: a title, a summary, paragraphs, and links under headings', async () => {
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
  const programs = /^```\w+\n.*?^```$/gms;
  const [title, blank, summary, ...rest] = text.replaceAll(programs, '').split('\n');
  expect([title, blank]).toEqual(['# MXProof', '']);
  expect(summary).toMatch(/^> \S/);
  const firstSection = rest.findIndex((line) => line.startsWith('## '));
  expect(rest.slice(0, firstSection).filter((line) => line.startsWith('#'))).toEqual([]);
  const links = rest.slice(firstSection).filter((line) => line !== '' && !line.startsWith('## '));
  expect(links.length).toBeGreaterThan(1);
  for (const line of links) {
    const link = /^- \[[^\]]+\]\(([^)]+)\): \S/.exec(line)?.[1];
    expect(link, line).toMatch(/^(\/|https:\/\/github\.com\/mxproof\/)/);
    if (link!.startsWith('/')) expect((await service.call('GET', link!, { key: null })).status).toBe(200);
  }
});

test('every operation that a program may call is a line, with what it takes', async () => {
  const { paths } = (await service.call('GET', '/v1/openapi.json', { key: null })).json as {
    paths: Record<string, Record<string, { summary: string }>>;
  };
  const lines = text.split('\n');
  const forPrograms = Object.entries(paths).filter(([path]) => !NOT_FOR_PROGRAMS.paths.test(path));
  for (const [path, operations] of forPrograms)
    for (const [method, { summary }] of Object.entries(operations)) {
      const title = `- \`${method.toUpperCase()} ${path}`;
      const found = lines.filter((line) => line.startsWith(`${title}\``) || line.startsWith(`${title} `));
      expect(found, title).toHaveLength(1);
      expect(found[0]!.endsWith(`\`: ${summary}`), found[0]).toBe(true);
    }
  expect(text).toContain('`POST /v1/lists {emails, name?, callback_url?, group?, file?, mail_when_done?}`');
  expect(text).toContain('`GET /v1/lists ?offset&limit&status&group&single&include`');
});

test('every word that a program may meet is in it', () => {
  const codes = ERROR_CODES.filter((code) => !NOT_FOR_PROGRAMS.codes.includes(code));
  for (const code of NOT_FOR_PROGRAMS.codes) expect(ERROR_CODES).toContain(code);
  for (const word of [...codes, ...REASON_WORDS, ...DETAIL_WORDS, ...WEBHOOK_EVENTS])
    expect(text).toContain(`\`${word}\``);
});
