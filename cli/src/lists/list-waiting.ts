// list waiting: what a list's addresses wait for, as a sentence.
// Promise: of many causes the largest are listed one by one and the others together; host names reach no terminal as
// control characters.

import { type ListWaiting, sumUpWaiting, type WaitingCause } from '@mxproof/client';
import { waitingPhrase } from '@mxproof/common/vocabulary/labels';
import { connectService, type ServiceOptions } from '../account/service-account.ts';
import { statusLines } from '../account/service-status.ts';
import { dateOf, plain, printJson, printLine } from '../shared/print.ts';

const CAUSES_SHOWN = 6;
const SECONDS_PER_MINUTE = 60;
const MINUTES_PER_HOUR = 60;

export async function listWaiting(
  id: number,
  { json, ...rest }: ServiceOptions & { readonly json?: boolean },
): Promise<void> {
  const { mx } = await connectService(rest);
  const now = await mx.lists.waiting(id);
  if (json) return printJson(now);
  const { total, status } = await mx.lists.get(id);
  if (now.done_by === null && now.pending === 0)
    return printLine(`List ${id} is ${status}: it is not waiting for anything.`);
  const nowSeconds = Date.now() / 1000;
  printLine(waitingSentence(now, total, nowSeconds));
  if (now.done_by === null) return printLine(`It is paused: "mxproof list resume ${id}" goes on.`);
  for (const line of await statusLines(mx)) printLine(line);
  printLine(`Done by ${dateOf(now.done_by)} at the latest, in ${durationText(now.done_by - nowSeconds)}.`);
}

/** Such as: 8 of 261 left: 6 at mx.example.net, which is asked at a slower pace, next attempt in 2 min; 2 being asked now. */
export function waitingSentence(now: ListWaiting, total: number, nowSeconds: number): string {
  const causes = sumUpWaiting(now.waiting);
  const shown = causes.slice(0, CAUSES_SHOWN);
  const others = now.pending - now.checking - shown.reduce((sum, { addresses }) => sum + addresses, 0);
  const parts = [
    ...(now.checking > 0 ? [`${now.checking} being checked now`] : []),
    ...shown.map((cause) => clause(cause, nowSeconds)),
    ...(others > 0 ? [`${others} at other servers`] : []),
  ];
  return `${now.pending} of ${total} left: ${parts.join('; ')}.`;
}

function clause({ why, host, addresses, nextAttemptAt }: WaitingCause, nowSeconds: number): string {
  const words = waitingPhrase(why);
  const at = host === null ? '' : ` at ${plain(host)}`;
  const what =
    typeof words === 'string'
      ? `${at} ${words}`
      : host === null
        ? ` at servers that ${words[1]}`
        : `${at}, which ${words[0]}`;
  const inSeconds = (nextAttemptAt ?? 0) - nowSeconds;
  return `${addresses}${what}${inSeconds > 0 ? `, next attempt in ${durationText(inSeconds)}` : ''}`;
}

export function durationText(seconds: number): string {
  if (Math.round(seconds) < SECONDS_PER_MINUTE) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / SECONDS_PER_MINUTE);
  const hours = Math.floor(minutes / MINUTES_PER_HOUR);
  const rest = minutes % MINUTES_PER_HOUR;
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}
