import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createUntilClosing } from './until-closing.ts';

test('a wait ends with its work, with its failure, or when the service closes', async () => {
  const waits = createUntilClosing();
  expect(await waits.wait(Promise.resolve('found'))).toBe('found');
  await expect(waits.wait(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  const cutShort = waits.wait(new Promise<string>(() => {}));
  waits.close();
  expect(await cutShort).toBe(null);
  expect(await waits.wait(sleep(1, 'too late'))).toBe(null);
});
