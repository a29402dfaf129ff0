// One address: typed, checked, explained. The check's number is in the page's address, so that it survives leaving.
import './check.css';
import { useQueryClient } from '@tanstack/react-query';
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, lazy, Suspense, useId, useLayoutEffect, useRef, useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { useCharge } from '../charge/use-charge.tsx';
import { Button } from '../design/button.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { useMay } from '../shell/own-session.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { problemText } from '../shell/problem.ts';
import { SEARCH_FIELD } from '../shell/shortcuts.tsx';
import { RecentChecks } from './recent-checks.tsx';

const text = messages.check;

/** Loaded with the first result. */
const CheckResult = lazy(() =>
  import('./check-result.tsx').then(({ CheckResult }) => ({ default: CheckResult })),
);

/** Not one that covers half of the screen as soon as a field has the focus. */
const hasKeyboard = () => matchMedia('(pointer: fine)').matches;

export function CheckPage() {
  const { check } = useSearch({ from: '/' });
  const may = useMay();
  const navigate = useNavigate();
  const [address, setAddress] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [invalid, setInvalid] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  const charge = useCharge(1);
  /** The check whose result would look like that of the address which is being typed. */
  const [left, setLeft] = useState<number | null>(null);
  const priceId = useId();
  // Not where a result was opened: that is what is read then, and on a phone the keyboard would cover it.
  const isForTyping = useRef(check === undefined);
  // After the heading, which pages focus when they open.
  useLayoutEffect(() => {
    if (isForTyping.current) field.current?.focus({ preventScroll: true });
  }, []);

  function type(typed: string) {
    setAddress(typed);
    setProblem(null);
    setInvalid(null);
    setLeft(check ?? null);
  }

  /** The next address is typed over this one. */
  function selectField() {
    if (hasKeyboard()) requestAnimationFrame(() => field.current?.select());
  }

  /** `Ann Lee <ann@example.com>` is read; what certainly is no address costs nothing, unless it is checked all the same. */
  async function begin(typed: string, isAnyway = false) {
    setInvalid(null);
    setProblem(null);
    const found = await read(typed);
    if (found === null) return;
    const [email = '', ...others] = found;
    if (email === '') return setProblem(text.needed);
    if (others.length > 0) return setProblem(text.several);
    setAddress(email);
    if (!isAnyway && !(await isPossible(email))) return;
    // The button was off meanwhile and has lost the focus: a question that is answered with no gives it to the field.
    if (hasKeyboard() && document.activeElement === document.body) field.current?.focus();
    await charge.begin(text.question(email), () => void verify(email));
  }

  /** What reads addresses out of text is loaded with the first check. */
  async function read(typed: string): Promise<readonly string[] | null> {
    setBusy(true);
    try {
      const { addressesIn } = await import('@mxproof/files/read-addresses');
      return addressesIn(typed);
    } catch (error) {
      setProblem(problemText(error));
      return null;
    } finally {
      setBusy(false);
    }
  }

  async function isPossible(email: string): Promise<boolean> {
    setBusy(true);
    try {
      const { valid } = await mx.suggest(email);
      if (valid) return true;
      selectField();
      setInvalid(email);
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setBusy(false);
    }
    return false;
  }

  async function verify(email: string) {
    setBusy(true);
    try {
      const begun = await mx.verify(email, { wait: false });
      setLeft(null);
      await navigate({ to: '/', search: { check: begun.listId } });
      void queries.invalidateQueries({ queryKey: keys.checks });
      selectField();
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setBusy(false);
      void queries.invalidateQueries({ queryKey: keys.account });
    }
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void begin(address);
  }

  function checkInstead(email: string) {
    setAddress(email);
    void begin(email);
  }

  if (!may.change && check === undefined) return <Navigate to="/lists" replace />;
  return (
    <section className="check stack">
      <PageTitle>{text.title}</PageTitle>
      {may.change && (
        <form className="check-form" onSubmit={submit} noValidate>
          <TextField className="field" value={address} onChange={type} name="address" autoFocus>
            <Label className="visually-hidden">{text.address}</Label>
            <Input
              ref={field}
              className="input"
              placeholder={text.placeholder}
              // Not type="email": Chromium would write a domain such as bücher.example as punycode into it.
              inputMode="email"
              autoCapitalize="none"
              spellCheck={false}
              autoComplete="off"
              {...SEARCH_FIELD}
            />
          </TextField>
          <Button
            type="submit"
            variant="primary"
            isDisabled={isBusy || charge.short !== null}
            aria-describedby={priceId}
          >
            {isBusy ? text.busy : text.submit}
          </Button>
          <p
            id={priceId}
            className="small soft check-price"
            {...(charge.short !== null && { role: 'status' })}
          >
            {charge.short ?? (charge.price ? text.price : null)}
          </p>
        </form>
      )}
      {charge.question}
      {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
      {invalid !== null && (
        <Notice tone="warning">
          <span>{text.invalid(invalid)}</span>
          <Button isDisabled={isBusy || charge.short !== null} onPress={() => void begin(invalid, true)}>
            {charge.priced(text.checkInvalid)}
          </Button>
        </Notice>
      )}
      {check === undefined || check === left ? (
        <p className="soft">{text.empty}</p>
      ) : (
        <Suspense>
          <CheckResult key={check} listId={check} onCheckInstead={checkInstead} />
        </Suspense>
      )}
      <RecentChecks onOpen={() => setLeft(null)} />
    </section>
  );
}
