// One address: typed, checked, explained. The check's number is in the page's address, so that it survives leaving.
import './check.css';
import { addressesIn } from '@mxproof/files/read-addresses';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type FormEvent, useLayoutEffect, useRef, useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { PageTitle } from '../shell/page-title.tsx';
import { problemText } from '../shell/problem.ts';
import { SEARCH_FIELD } from '../shell/shortcuts.tsx';
import { CheckResult } from './check-result.tsx';
import { RecentChecks } from './recent-checks.tsx';

const text = messages.check;

/** Not one that covers half of the screen as soon as a field has the focus. */
const hasKeyboard = () => matchMedia('(pointer: fine)').matches;

export function CheckPage() {
  const { check } = useSearch({ from: '/' });
  const navigate = useNavigate();
  const [address, setAddress] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [invalid, setInvalid] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  const queries = useQueryClient();
  // Not where a result was opened: that is what is read then, and on a phone the keyboard would cover it.
  const isForTyping = useRef(check === undefined);
  // After the heading, which pages focus when they open.
  useLayoutEffect(() => {
    if (isForTyping.current) field.current?.focus({ preventScroll: true });
  }, []);

  /** The next address is typed over this one. */
  function selectField() {
    if (hasKeyboard()) requestAnimationFrame(() => field.current?.select());
  }

  /** `Ann Lee <ann@example.com>` is read; what certainly is no address costs nothing, unless it is checked all the same. */
  async function begin(typed: string, isAnyway = false) {
    setInvalid(null);
    setProblem(null);
    const [email = '', ...others] = addressesIn(typed);
    if (email === '') return setProblem(text.needed);
    if (others.length > 0) return setProblem(text.several);
    setAddress(email);
    setBusy(true);
    try {
      if (!isAnyway && !(await mx.suggest(email)).valid) {
        selectField();
        return setInvalid(email);
      }
      const begun = await mx.verify(email, { wait: false });
      await navigate({ to: '/', search: { check: begun.listId } });
      void queries.invalidateQueries({ queryKey: keys.checks });
      selectField();
    } catch (error) {
      setProblem(problemText(error));
    } finally {
      setBusy(false);
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

  return (
    <section className="check stack">
      <PageTitle>{text.title}</PageTitle>
      <form className="check-form" onSubmit={submit} noValidate>
        <TextField className="field" value={address} onChange={setAddress} name="address" autoFocus>
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
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {isBusy ? text.busy : text.submit}
        </Button>
      </form>
      {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
      {invalid !== null && (
        <Notice tone="warning">
          <span>{text.invalid(invalid)}</span>
          <Button onPress={() => void begin(invalid, true)}>{text.checkInvalid}</Button>
        </Notice>
      )}
      {check === undefined ? (
        <p className="soft">{text.empty}</p>
      ) : (
        <CheckResult key={check} listId={check} onCheckInstead={checkInstead} />
      )}
      <RecentChecks />
    </section>
  );
}
