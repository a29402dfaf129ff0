// Begins what the cost card shows: all of the file, as many of its addresses as the balance covers, or the rest of one that
// was begun so. Promise: begun twice, it is charged once, also when the balance is another by then; a refusal keeps the file
// and everything chosen.
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { newList } from '../messages/en-new-list.ts';
import { keyFor, remember, remembered, settle } from '../own-file/idempotency-keys.ts';
import { saveOwnFile } from '../own-file/own-file.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { accountQuery } from '../shell/session.ts';
import { type Draft, finishDraft, leftOutOf, type RestOfFile, submitList } from './draft.ts';
import { rangeSending } from './left-out.ts';
import type { FileReading } from './read.worker.ts';
import { layoutOf, partRanges, startLists, submissionId, withTail } from './start-lists.ts';
import { StartRefusal } from './submit-part.ts';

const text = newList;

/** Why it did not begin: in a sentence, or for want of so many credits, until they are there. */
export type StartProblem = { readonly sentence: string } | { readonly needed: number };

const NOT_BEGUN = { isWhole: false, count: null };

export function useStart(draft: Draft, reading: FileReading) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<StartProblem | null>(null);
  const leftOut = leftOutOf(draft);
  const whole = wishOf(draft, reading);
  const wholeId = submissionId(reading, whole.name, whole.range, leftOut);
  /** Of a wish for some of them: how many, which is not another number when the balance is. */
  const someId = submissionId(reading, whole.listName, { from: whole.from, count: 0 }, leftOut);
  const begun = useQuery({
    queryKey: ['begun', wholeId],
    queryFn: async () => ({
      isWhole: (await remembered(wholeId)) !== null,
      count: Number(await remembered(someId)) || null,
    }),
    staleTime: 0,
  });

  async function explain(error: unknown, what: string, isOneList: boolean): Promise<void> {
    if (!(error instanceof StartRefusal)) return setProblem({ sentence: problemText(error) });
    const { refusal } = error;
    switch (refusal.kind) {
      case 'short': {
        // Nothing is there yet; of several lists, some may be, and the wish stays what it was.
        if (isOneList) for (const each of [what, mailId(what), someId]) await settle(each);
        await queries.fetchQuery({ ...accountQuery, staleTime: 0 });
        return setProblem({ needed: refusal.needed });
      }
      case 'signed_out':
        // The shell asks for a key; what was chosen waits here.
        await queries.invalidateQueries({ queryKey: keys.account });
        break;
      case 'key_reused':
        // Kept from another version of this page: the next attempt has a key of its own.
        for (const each of [what, mailId(what)]) await settle(each);
        break;
      case 'other':
        break;
      default:
        return refusal satisfies never;
    }
    setProblem({ sentence: refusal.sentence });
  }

  /** `most`: of the addresses that are left to be sent. The file comes back whole all the same: other rows have no result. */
  async function begin(most?: number): Promise<void> {
    const { file, rest, suppressed } = draft;
    if (isBusy || file === null) return;
    setProblem(null);
    setBusy(true);
    const some = most === undefined ? undefined : Number(await remember(someId, String(most)));
    const { name, listName, range, first } = wishOf(draft, reading, some);
    const what = submissionId(reading, name, range, leftOut);
    // As it was begun: another choice under the same key would be refused, and under another key charged again.
    const mailChoice = await remember(mailId(what), String(draft.mailWhenDone));
    try {
      const { lists, group } = await startLists({
        name,
        fileName: file.name,
        reading,
        ...(range && { range }),
        leftOut,
        group: rest?.first.group,
        mailWhenDone: mailChoice === 'null' ? undefined : mailChoice === 'true',
        keyFor,
        submit: submitList,
      });
      const listIds = [...(rest?.own.listIds ?? []), ...lists.map(({ id }) => id)];
      const kept = await saveOwnFile({
        listIds,
        name: file.name,
        mark: reading.mark,
        layout: layoutOf(reading),
        ...(reading.fixes.size > 0 && { fixes: reading.fixes }),
        ...(draft.dropsRepeated && { dropsRepeated: true }),
        ...(leftOut.length > 0 && suppressed?.kind === 'known' && { suppressed: suppressed.emails }),
        ...(first && group !== undefined && { first: { ...first, group, listName } }),
        file,
      });
      if (rest) await renameWhole(rest, first?.count ?? null);
      for (const each of [what, mailId(what), someId]) await settle(each);
      void queries.invalidateQueries({ queryKey: keys.account });
      void queries.invalidateQueries({ queryKey: keys.lists });
      const listId = listIds[0]!;
      if (kept !== 'kept') return finishDraft({ listId, kept });
      await navigate({ to: '/lists/$id', params: { id: String(listId) } });
      finishDraft(null);
    } catch (error) {
      await explain(error, what, partRanges(reading.parts, range, leftOut).length === 1);
      await begun.refetch();
    } finally {
      setBusy(false);
    }
  }

  return { begin, begun: begun.data ?? NOT_BEGUN, isBusy, problem };
}

const mailId = (what: string) => `mail of ${what}`;

/** What is sent, under which name. `most`: without what is left out. */
function wishOf(draft: Draft, { parts }: FileReading, most = Number.POSITIVE_INFINITY) {
  const { file, listName: typed, rest } = draft;
  const of = parts.reduce((sum, part) => sum + part, 0);
  const from = rest?.first.count ?? 0;
  const count = Math.min(rangeSending(leftOutOf(draft), from, most).count, of - from);
  const to = from + count;
  const listName = rest?.first.listName ?? (typed.trim() || file!.name);
  const isWhole = count === of;
  return {
    from,
    listName,
    name: isWhole
      ? listName
      : withTail(listName, rest ? text.rangeTail(from + 1, to) : text.firstTail(count)),
    range: isWhole ? undefined : { from, count },
    first: to < of ? { count: to, of } : null,
  };
}

/** The name of several lists together is that of the oldest. One that was given meanwhile stays. */
async function renameWhole({ own, first, shownName }: RestOfFile, count: number | null): Promise<void> {
  const tailOf = (count: number) => withTail(first.listName, text.firstTail(count));
  if (!shownName.startsWith(tailOf(first.count))) return;
  const name = count === null ? first.listName : tailOf(count);
  // It is checked all the same.
  await mx.lists.rename(own.listIds[0]!, name).catch(() => {});
}
