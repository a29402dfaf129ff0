// check_addresses: the one tool that charges.
import { type Check, DeadlineExceeded, type ListSummary, type MXProof } from '@mxproof/client';
import { z } from 'zod';
import type { Begun, Wanted } from '../begun-checks.ts';
import {
  isUnfinished,
  MAX_ROWS,
  MAX_WAIT_SECONDS,
  progressView,
  readLater,
  rowsView,
  waitForList,
} from '../list-view.ts';
import { RESULT_FIELDS, resultView } from '../result-view.ts';
import { type Call, defineTool, type View } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';

const MAX_ADDRESSES = 1_000;
const MAX_ADDRESS_CHARACTERS = 320;
const MAX_NAME_CHARACTERS = 100;
const DEFAULT_WAIT_SECONDS = 30;
const SECOND_MS = 1_000;
/** The longest that the service waits with its answer, unless its operator allows more. */
const MAX_ANSWER_SECONDS = 20;

export const checkAddresses = defineTool({
  name: 'check_addresses',
  title: 'Check e-mail addresses',
  charges: true,
  description:
    'Asks the mail servers whether e-mail addresses can receive mail, without sending any, and says what to do with each: Send, ' +
    'Send carefully, Leave out, Remove, No answer yet. Charges one credit for each unique address; no answer is refunded later. ' +
    `Pass the addresses themselves (at most ${MAX_ADDRESSES}), never a file or path. What takes longer goes on as a list: read ` +
    'it later by its list_id instead of checking again.',
  input: {
    emails: z
      .array(
        z
          .string('Each address is a string.')
          .max(MAX_ADDRESS_CHARACTERS, `An address has at most ${MAX_ADDRESS_CHARACTERS} characters.`),
        'Pass emails as an array of addresses.',
      )
      .min(1, 'Pass at least one address.')
      .max(MAX_ADDRESSES, `Pass at most ${MAX_ADDRESSES} addresses a call, and the others in further calls.`)
      .describe('The addresses, such as ["ann@example.com"].'),
    name: z
      .string()
      .max(MAX_NAME_CHARACTERS, `A name has at most ${MAX_NAME_CHARACTERS} characters.`)
      .optional()
      .describe('A name for the list, which the user sees in the console.'),
    wait_seconds: z
      .int()
      .min(0)
      .max(MAX_WAIT_SECONDS, `Wait at most ${MAX_WAIT_SECONDS} seconds, and read the list later.`)
      .default(DEFAULT_WAIT_SECONDS)
      .describe('How long to wait for results.'),
  },
  async run({ emails, name, wait_seconds }, call) {
    const untilMs = performance.now() + wait_seconds * SECOND_MS;
    const wanted = { addresses: uniqueOf(emails), name };
    const begun = await call.begun.begin(wanted, (idempotencyKey) =>
      begin(wanted, { waitSeconds: wait_seconds, idempotencyKey }, call.mx),
    );
    const waitMs = Math.max(0, untilMs - performance.now());
    const view =
      begun.check === null
        ? await listView(await waitForList(begun.listId, waitMs, call), call)
        : await singleView(begun.check, waitMs, call);
    if (!call.signal.aborted) call.begun.answered(wanted);
    // The limit is read last: other calls may spend meanwhile.
    return { ...view, credits_charged: begun.credits, credits_left_in_this_run: call.spending.left };
  },
});

interface BeginOptions {
  readonly waitSeconds: number;
  readonly idempotencyKey: string;
}

/** Not ended with the call: a charge whose list is not known would be of no use. */
async function begin(
  { addresses, name }: Wanted,
  { waitSeconds, idempotencyKey }: BeginOptions,
  mx: MXProof,
): Promise<Begun> {
  if (addresses.length === 1 && name === undefined) {
    const wait = Math.min(waitSeconds, MAX_ANSWER_SECONDS);
    const check = await mx.verify(addresses[0]!, { wait, include: RESULT_FIELDS, idempotencyKey });
    return { listId: check.listId, credits: 1, check };
  }
  const list = await mx.lists.create(
    { emails: addresses, ...(name !== undefined && { name }) },
    { idempotencyKey },
  );
  return { listId: list.id, credits: list.total, check: null };
}

async function singleView(check: Check, waitMs: number, { signal, report }: Call): Promise<View> {
  const { listId } = check;
  try {
    if (check.answer === null) report(0, 1, 'the mail server has not answered yet');
    const result = check.answer ?? (await check.result({ signal, deadlineMs: waitMs }));
    return { list_id: listId, status: 'done', results: [resultView(result, 0)] };
  } catch (error) {
    if (!(error instanceof DeadlineExceeded)) throw error;
    return { list_id: listId, status: 'checking', next: readLater('list_results', listId) };
  }
}

async function listView(list: ListSummary, call: Call): Promise<View> {
  const progress = await progressView(list, call);
  if (isUnfinished(list)) return progress;
  const rows = await rowsView(list.id, { offset: 0, limit: MAX_ROWS }, call);
  if (rows.next_offset === null) return { ...progress, ...rows };
  const next = `More rows: call list_results with list_id ${list.id} and offset ${rows.next_offset}.`;
  return { ...progress, ...rows, next };
}

/** As the service compares them. What has no @ is no address: a path, a name, or a file that was to be read. */
function uniqueOf(emails: readonly string[]): string[] {
  const unique = [...new Set(emails.map((email) => email.trim().toLowerCase()))].filter(
    (email) => email !== '',
  );
  if (unique.length === 0) throw new ToolRefusal('Every entry is blank: pass at least one address.');
  const stranger = unique.find((email) => !email.includes('@'));
  if (stranger === undefined) return unique;
  throw new ToolRefusal(
    `"${stranger.slice(0, 60)}" has no @, and nothing was charged: pass e-mail addresses themselves, not a file, path or name.`,
  );
}
