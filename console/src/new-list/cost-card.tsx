// What it costs and what is left, and the button that begins it. Promise: it is off where the balance does not cover it, and
// on as soon as it does; as many addresses as it covers can be checked.
import { MAX_LIST_ADDRESSES } from '@mxproof/files/addresses';
import { type FormEvent, useEffect, useId } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { useCharge } from '../charge/use-charge.tsx';
import { Button } from '../design/button.tsx';
import { formatCount } from '../design/format.ts';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { Tick } from '../design/tick.tsx';
import { newList } from '../messages/en-new-list.ts';
import { useOwnMember } from '../people/own-member.ts';
import { useServiceStatus } from '../shell/service-status.ts';
import { useAccount } from '../shell/session.ts';
import { choose, type Draft, leftOutOf, mailWhenDone, nameList } from './draft.ts';
import { sentIn } from './left-out.ts';
import { UnfixedHint } from './misspelt-domains.tsx';
import type { FileReading } from './read.worker.ts';
import { MAX_NAME_CHARACTERS } from './start-lists.ts';
import { type StartProblem, useStart } from './use-start.ts';
import { scarceToday } from './warm-up.ts';

const text = newList;

export function CostCard({ draft, reading }: { readonly draft: Draft; readonly reading: FileReading }) {
  // What was checked before is not paid again.
  const from = draft.rest?.first.count ?? 0;
  const range = { from, count: reading.summary.unique - from };
  const unique = sentIn(leftOutOf(draft), range);
  const leftOut = range.count - unique;
  const shortId = useId();
  const account = useAccount();
  const own = useOwnMember();
  const mode = account.data?.isTest === undefined ? reading.mode : account.data.isTest ? 'test' : 'live';
  useEffect(() => {
    // Signed in with another key meanwhile: lists have another size.
    if (mode !== reading.mode) choose(draft.named);
  }, [mode, reading.mode, draft.named]);
  // Test credits never run out.
  const credits = mode === 'test' ? null : (account.data?.credits ?? null);
  const isShort = credits !== null && credits < unique;
  const { begin, begun, isBusy, problem: found } = useStart(draft, reading);
  const problem = found && problemNow(found, credits);
  const status = useServiceStatus();
  const warmUp = typeof status === 'object' ? status.warm_up : undefined;
  const scarce = warmUp === undefined ? [] : scarceToday(warmUp, unique);
  const isReading = draft.progress !== null;
  // Until it is known what is suppressed, nobody knows what it costs; who sends all of it need not wait.
  const isAsking = draft.suppressed?.kind === 'asking' && !draft.sendsSuppressed;
  const isOff = isBusy || isReading || isAsking || unique === 0;
  // What was begun, and perhaps charged, can be begun again: it is charged once.
  const isStartOff = isOff || (isShort && !begun.isWhole);
  const most = begun.count ?? (isShort ? credits : 0);
  const whole = useCharge(unique);
  const some = useCharge(most);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (!isStartOff) void whole.begin(text.question(unique), () => void begin());
  }

  return (
    <form className="card stack cost" onSubmit={submit} noValidate aria-labelledby="cost-title">
      <h2 id="cost-title">{text.cost}</h2>
      <dl className="cost-sum">
        <div className="cost-line">
          <dt>{mode === 'test' ? text.unique : text.needed}</dt>
          <dd className="cost-needed">{formatCount(unique)}</dd>
        </div>
        {leftOut > 0 && (
          <div className="cost-line">
            <dt>{text.suppressed.leftOut}</dt>
            <dd>{formatCount(leftOut)}</dd>
          </div>
        )}
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
      <UnfixedHint misspelt={reading.summary.misspelt} fixes={draft.fixes} />
      {mode === 'live' && scarce.length > 0 && <Notice>{text.warmingUp(scarce)}</Notice>}
      <TextField className="field" value={draft.listName} onChange={nameList} maxLength={MAX_NAME_CHARACTERS}>
        <Label>{text.name}</Label>
        <Input className="input" autoComplete="off" />
      </TextField>
      {unique === 0 && !isReading && (
        <p className="small soft">{leftOut > 0 ? text.suppressed.nothing : text.nothing}</p>
      )}
      {own?.mail_to != null && (
        <Tick name={text.mailWhenDone} isSet={draft.mailWhenDone ?? own.list_mail} onChange={mailWhenDone} />
      )}
      {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
      <Button
        type="submit"
        variant="primary"
        isDisabled={isStartOff}
        {...(isShort && problem === null && { 'aria-describedby': shortId })}
      >
        {isBusy ? text.starting : whole.priced(text.start)}
      </Button>
      {whole.question}
      {most > 0 && (
        <Button
          isDisabled={isOff}
          onPress={() => void some.begin(text.question(most), () => void begin(most))}
        >
          {some.priced(draft.rest ? text.startNext(most) : text.startFirst(most))}
        </Button>
      )}
      {some.question}
      <p className="small soft">{mode === 'test' ? text.testHint : text.refundHint}</p>
    </form>
  );
}

/** A want of credits is one until they are there. */
function problemNow(problem: StartProblem, credits: number | null): string | null {
  if ('sentence' in problem) return problem.sentence;
  return credits !== null && credits < problem.needed ? text.refusedShort(problem.needed, credits) : null;
}
