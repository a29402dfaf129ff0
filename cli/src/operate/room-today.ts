// What warm-ups leave of the day, over all sources, as a sentence. Pure.
import { fitsToday, type WarmingSources } from '@mxproof/server/operate';

export function roomToday({ places, elsewhere }: WarmingSources): string {
  const rooms = [...fitsToday(places)].map(([provider, left]) => `${number(left)} at ${provider}`);
  const all =
    rooms.length === 0
      ? `${number(elsewhere)} at each provider`
      : `${rooms.join(', ')}, and ${number(elsewhere)} at each other provider`;
  return `Sources that are being warmed up may ask about so many more recipients today: ${all}.`;
}

function number(count: number): string {
  return count.toLocaleString('en-US');
}
