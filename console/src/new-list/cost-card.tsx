// What it costs and what is left, and the button that begins it. Promise: begun twice, it is charged once; a refusal keeps
// the file and everything chosen.
import { MAX_LIST_ADDRESSES } from '@mxproof/files/addresses';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useEffect, useId, useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { formatCount } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { keyFor, settle } from '../own-file/idempotency-keys.ts';
import { saveOwnFile } from '../own-file/own-file.ts';
import { keys } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { accountQuery, useAccount } from '../shell/session.ts';
import { choose, type Draft, finishDraft, nameList, submitList } from './draft.ts';
import type { FileReading } from './read.worker.ts';
import {
  type AddressRange,
  layoutOf,
  MAX_NAME_CHARACTERS,
  startLists,
  submissionId,
  withTail,
} from './start-lists.ts';
import { StartRefusal } from './submit-part.ts';

const text = messages.newList;

export function CostCard({ draft, reading }: { readonly draft: Draft; readonly reading: FileReading }) {
  const { unique } = reading.summary;
  const shortId = useId();
  const account = useAccount();
  const mode = account.data?.isTest === undefined ? reading.mode : account.data.isTest ? 'test' : 'live';
  useEffect(() => {
    // Signed in with another key meanwhile: lists have another size.
    if (mode !== reading.mode) choose(draft.named);
  }, [mode, reading.mode, draft.named]);
  // Test credits never run out.
  const credits = mode === 'test' ? null : (account.data?.credits ?? null);
  const isShort = credits !== null && credits < unique;
  const { begin, isBusy, problem } = useStart(draft, reading);
  const isReading = draft.progress !== null;
  const isOff = isBusy || isReading || unique === 0;

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isOff && !isShort) void begin();
  }

  return (
    <form className="card stack cost" onSubmit={submit} noValidate aria-labelledby="cost-title">
      <h2 id="cost-title">{text.cost}</h2>
      <dl className="cost-sum">
        <div className="cost-line">
          <dt>{mode === 'test' ? text.unique : text.needed}</dt>
          <dd className="cost-needed">{formatCount(unique)}</dd>
        </div>
        {mode === 'test' && (
          <div className="cost-line cost-after">
            <dt>{text.charged}</dt>
            <dd>{text.nothingCharged}</dd>
          </div>
        )}
        {credits !== null && (
          <>
            <div className="cost-line">
              <dt>{text.balance}</dt>
              <dd>{formatCount(credits)}</dd>
            </div>
            <div className="cost-line cost-after">
              <dt>{credits < unique ? text.missing : text.after}</dt>
              <dd>{formatCount(Math.abs(credits - unique))}</dd>
            </div>
          </>
        )}
      </dl>
      {isShort && problem === null && (
        <Notice tone="warning">
          <span id={shortId}>
            {text.short(unique, credits)} {credits > 0 ? text.shortHint : text.noneHint}
          </span>
        </Notice>
      )}
      {reading.parts.length > 1 && (
        <Notice>{text.several(reading.parts.length, formatCount(MAX_LIST_ADDRESSES[reading.mode]))}</Notice>
      )}
      <TextField className="field" value={draft.listName} onChange={nameList} maxLength={MAX_NAME_CHARACTERS}>
        <Label>{text.name}</Label>
        <Input className="input" autoComplete="off" />
      </TextField>
      {unique === 0 && !isReading && <p className="small soft">{text.nothing}</p>}
      {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
      <Button
        type="submit"
        variant="primary"
        isDisabled={isOff || isShort}
        {...(isShort && problem === null && { 'aria-describedby': shortId })}
      >
        {isBusy ? text.starting : text.start}
      </Button>
      {isShort && credits > 0 && (
        <Button isDisabled={isOff} onPress={() => void begin({ from: 0, count: credits })}>
          {text.startFirst(credits)}
        </Button>
      )}
      <p className="small soft">{mode === 'test' ? text.testHint : text.refundHint}</p>
    </form>
  );
}

function useStart(draft: Draft, reading: FileReading) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  async function explain(error: unknown, what: string): Promise<void> {
    if (!(error instanceof StartRefusal)) return setProblem(problemText(error));
    const { refusal } = error;
    switch (refusal.kind) {
      case 'short': {
        const now = await queries.fetchQuery({ ...accountQuery, staleTime: 0 });
        return setProblem(text.refusedShort(refusal.needed, now.credits));
      }
      case 'signed_out':
        // The shell asks for a key; what was chosen waits here.
        await queries.invalidateQueries({ queryKey: keys.account });
        break;
      case 'key_reused':
        // Kept from another version of this page: the next attempt has a key of its own.
        await settle(what);
        break;
      case 'other':
        break;
      default:
        return refusal satisfies never;
    }
    setProblem(refusal.sentence);
  }

  /** The file comes back whole either way: rows whose address is not in the range have no result. */
  async function begin(range?: AddressRange): Promise<void> {
    if (isBusy || draft.file === null) return;
    setProblem(null);
    setBusy(true);
    const given = draft.listName.trim() || draft.file.name;
    const name = range === undefined ? given : withTail(given, text.firstTail(range.count));
    const what = submissionId(reading, name, range);
    try {
      const lists = await startLists({
        name,
        reading,
        ...(range && { range }),
        keyFor,
        submit: submitList,
      });
      const listIds = lists.map(({ id }) => id);
      const { file } = draft;
      const kept = await saveOwnFile({
        listIds,
        name: file.name,
        mark: reading.mark,
        layout: layoutOf(reading),
        file,
      });
      await settle(what);
      void queries.invalidateQueries({ queryKey: keys.account });
      void queries.invalidateQueries({ queryKey: keys.lists });
      const listId = listIds[0]!;
      if (kept !== 'kept') return finishDraft({ listId, kept });
      await navigate({ to: '/lists/$id', params: { id: String(listId) } });
      finishDraft(null);
    } catch (error) {
      await explain(error, what);
    } finally {
      setBusy(false);
    }
  }

  return { begin, isBusy, problem };
}
