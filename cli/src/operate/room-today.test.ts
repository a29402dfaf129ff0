import { expect, test } from 'vitest';
import { roomToday } from './room-today.ts';

test('what warm-ups leave of the day is one sentence, over all sources', () => {
  const today = (perDay: number, used: number) => ({ day: 1, perDay, used, heldBack: null });
  const places = [
    { source: '192.0.2.10', provider: 'google', today: today(1_500, 20) },
    { source: '192.0.2.11', provider: 'google', today: today(50, 50) },
    { source: '192.0.2.11', provider: 'other', today: today(90, 100) },
  ];
  const room = { dayEndsAt: 0, places, elsewhere: 100 };
  expect(roomToday(room)).toMatch(/today: 1,480 at google, 0 at other, and 100 at each other provider\.$/);
  expect(roomToday({ ...room, places: [] })).toMatch(/today: 100 at each provider\.$/);
});
