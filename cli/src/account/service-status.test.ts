import type { ServiceStatus } from '@mxproof/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { watchStandstill } from './service-status.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const PORT_25: ServiceStatus = {
  checking: 'waiting',
  reasons: [{ code: 'port_25', since: 1, advice: 'Open port 25:\u001b[2J now.' }],
};

test('a list that moves asks nothing; one that stands still is told each reason once, as plain text', async () => {
  const answers: (ServiceStatus | Error)[] = [];
  let asked = 0;
  const status = async () => {
    asked += 1;
    const answer = answers.shift() ?? PORT_25;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const said: string[] = [];
  const standstill = watchStandstill({ status }, (line) => said.push(line));
  for (let second = 0; second < 20; second += 1) {
    await vi.advanceTimersByTimeAsync(1_000);
    standstill.moved();
  }
  expect(asked).toBe(0);
  answers.push(new Error('an older service'), { checking: 'waiting', reasons: [] });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(6);
  expect(said).toEqual([expect.stringMatching(/"mxproof work"/), expect.not.stringContaining('\u001b')]);
  standstill.stop();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toBe(6);
});
