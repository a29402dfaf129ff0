import { expect, test } from 'vitest';
import { startService } from '../../../test/http-service.ts';

test('/llms.txt needs no key, and names every operation of the document in a line of its own', async () => {
  const service = await startService();
  try {
    const { status, headers, text } = await service.call('GET', '/llms.txt', { key: null });
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(text).toMatch(/^# MXProof\n\n> .+\n/);
    expect(text).toContain('Authorization: Bearer');
    const { paths } = (await service.call('GET', '/v1/openapi.json', { key: null })).json as {
      paths: Record<string, Record<string, { summary: string }>>;
    };
    const lines = text.split('\n');
    for (const [path, operations] of Object.entries(paths))
      for (const [method, { summary }] of Object.entries(operations)) {
        const line = `- \`${method.toUpperCase()} ${path}\`: ${summary}`;
        expect(lines.filter((each) => each.startsWith(line))).toHaveLength(1);
      }
    // What it links to is there.
    for (const [, link] of text.matchAll(/\]\((\/[^)]*)\)/g))
      expect((await service.call('GET', link!, { key: null })).status).toBe(200);
  } finally {
    await service.close();
  }
});
