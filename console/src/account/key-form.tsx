// What a key is to be: what it is for, how long, from where, what it may do; and the key itself, shown once.
import type { Key, NewKey } from '@mxproof/client';
import { type FormEvent, useState } from 'react';
import { Input, Label, Text, TextField } from 'react-aria-components';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { Tick } from '../design/tick.tsx';
import { apiKeys } from '../messages/en-account.ts';
import { messages } from '../messages/messages.ts';
import { readAllowed } from './allowed-addresses.ts';
import { EXPIRIES, type Expiry, expiresAt, localDay } from './expiry.ts';
import { ShownOnce } from './shown-once.tsx';

const text = apiKeys;
const LABEL_MAX = 100;

/** The first is what a key has unless it is chosen. */
const ACCESSES = ['full', 'read', 'verify'] as const satisfies readonly Key['access'][];
type Access = (typeof ACCESSES)[number];

export interface KeyWishes {
  label: string;
  test: boolean;
  manage: boolean;
  access: Access;
  expires_at: number | null;
  allowed_ips: string[] | null;
}

export function MadeKey({
  made: { api_key },
  onClose,
}: {
  readonly made: Pick<NewKey, 'api_key'>;
  readonly onClose: () => void;
}) {
  return (
    // A click beside it must not lose what is never shown again.
    <DialogBox title={text.made} isDismissable={false} onClose={onClose}>
      <ShownOnce name={text.made} secret={api_key} warning={text.shownOnce} copyLabel={text.copy} />
      <Button slot="close" variant="primary">
        {text.done}
      </Button>
    </DialogBox>
  );
}

export function KeyForm({
  isTestOnly,
  isBusy,
  refusal,
  onSubmit,
}: {
  readonly isTestOnly: boolean;
  readonly isBusy: boolean;
  readonly refusal: string | null;
  readonly onSubmit: (key: KeyWishes) => void;
}) {
  const [label, setLabel] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('never');
  const [lastDay, setLastDay] = useState('');
  const [addresses, setAddresses] = useState('');
  const [isTest, setTest] = useState(isTestOnly);
  const [access, setAccess] = useState<Access>('full');
  const [manages, setManages] = useState(false);
  const manage = manages && access === 'full';
  const [missing, setMissing] = useState<'label' | 'lastDay' | 'allowed' | null>(null);
  const allowed = readAllowed(addresses);

  function submit(event: FormEvent) {
    event.preventDefault();
    const expires = expiresAt(expiry, lastDay, Date.now());
    if (label.trim() === '') return setMissing('label');
    if (expires === 'past') return setMissing('lastDay');
    if ('wrong' in allowed) return setMissing('allowed');
    setMissing(null);
    onSubmit({
      label: label.trim(),
      test: isTest,
      manage,
      access,
      expires_at: expires,
      allowed_ips: allowed.ranges,
    });
  }

  function problemNow(): string | null {
    switch (missing) {
      case null:
        return refusal;
      case 'allowed':
        return 'wrong' in allowed ? text.wrongAddress(allowed.wrong) : null;
      case 'label':
      case 'lastDay':
        return text.missing[missing];
      default:
        return missing satisfies never;
    }
  }

  const problem = problemNow();
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <TextField
        className="field"
        value={label}
        onChange={setLabel}
        maxLength={LABEL_MAX}
        isInvalid={missing === 'label'}
        autoFocus
      >
        <Label>{text.label}</Label>
        <Input className="input" autoComplete="off" />
        <Text slot="description" className="small soft">
          {text.labelHint}
        </Text>
      </TextField>
      <label className="field">
        <span className="field-name">{text.access}</span>
        <select className="input" value={access} onChange={({ target }) => setAccess(target.value as Access)}>
          {ACCESSES.map((each) => (
            <option key={each} value={each}>
              {text.accesses[each]}
            </option>
          ))}
        </select>
        <span className="small soft">{text.accessHint[access]}</span>
      </label>
      <label className="field">
        <span className="field-name">{text.expires}</span>
        <select className="input" value={expiry} onChange={({ target }) => setExpiry(target.value as Expiry)}>
          {EXPIRIES.map((each) => (
            <option key={each} value={each}>
              {text.expiry[each]}
            </option>
          ))}
        </select>
      </label>
      {expiry === 'date' && (
        <label className="field">
          <span className="field-name">{text.lastDay}</span>
          <input
            className="input"
            type="date"
            aria-invalid={missing === 'lastDay'}
            min={localDay(Date.now())}
            value={lastDay}
            onChange={({ target }) => setLastDay(target.value)}
          />
        </label>
      )}
      <TextField
        className="field"
        value={addresses}
        onChange={setAddresses}
        isInvalid={missing === 'allowed' && problem !== null}
      >
        <Label>{text.allowed}</Label>
        <Input className="input" autoComplete="off" autoCapitalize="none" spellCheck={false} />
        <Text slot="description" className="small soft">
          {text.allowedHint}
        </Text>
      </TextField>
      <Tick
        name={text.test}
        hint={isTestOnly ? text.testForced : text.testHint}
        isSet={isTest}
        isDisabled={isTestOnly}
        onChange={setTest}
      />
      <Tick
        name={text.manage}
        hint={access === 'full' ? text.manageHint : text.manageNeedsFull}
        isSet={manage}
        isDisabled={access !== 'full'}
        onChange={setManages}
      />
      {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
      <div className="row">
        <Button type="submit" variant="primary" isDisabled={isBusy}>
          {isBusy ? text.creating : text.create}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </form>
  );
}
