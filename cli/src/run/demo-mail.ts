// The demo's month of mail: the readers of a newsletter are checked as a list, get it four times in the simulated world, and what
// became of it is told as any customer's program tells it.
// Promise: nothing of it is written but by the API; when the demo ends, it ends quietly.
import { MXProof } from '@mxproof/client';
import type { Post } from '@mxproof/world/delivery';

/** Four weeks that pass in a moment: verdicts answer for mail after them, so that all of it is told as of today. */
const ISSUES = ['2026-11-02', '2026-11-09', '2026-11-16', '2026-11-23'];

/** Most servers answer within seconds; the last ones after a minute or two. */
const MOST = 0.95;

interface DemoMail {
  readonly url: string;
  readonly apiKey: string;
  readonly readers: readonly string[];
  readonly post: Post;
  readonly signal: AbortSignal;
  /** What became of mail to so many of them is known: to most, and at the end to all. */
  onTold(readers: number): void;
}

export async function mailForAMonth(demo: DemoMail): Promise<void> {
  const { url, apiKey, readers, post, signal, onTold } = demo;
  const mx = new MXProof({ apiKey, baseUrl: url });
  await mx.account.update({ outcomes: true }, { signal });
  const list = await mx.lists.create({ emails: readers, name: 'newsletter.csv' }, { signal });
  const mailed = new Set<string>();
  const mailTheChecked = async () => {
    const checked: string[] = [];
    for await (const { email, state } of mx.lists.results(list.id, { signal }))
      if (state !== 'pending' && !mailed.has(email)) checked.push(email);
    for (const outcomes of fourTimes(checked, post)) await mx.outcomes.send(outcomes, { signal });
    for (const email of checked) mailed.add(email);
    onTold(mailed.size);
  };
  for await (const { checked, total } of mx.lists.follow(list.id, { signal }))
    if (mailed.size === 0 && checked > MOST * total) await mailTheChecked();
  await mailTheChecked();
}

/** Who wants no more of it, or is not there, gets no more. */
function* fourTimes(readers: readonly string[], post: Post) {
  const gone = new Set<string>();
  for (const issue of ISSUES) {
    const sent = readers.filter((email) => !gone.has(email)).map((email) => post(email, issue));
    const events = sent.flatMap((mail) => mail?.events ?? []);
    for (const { email, outcome } of events) if (outcome !== 'delivered') gone.add(email);
    yield events.map(({ id, email, outcome, reply }) => ({ id, email, outcome, reply }));
  }
}
