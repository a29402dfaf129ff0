// Inviting a member: their address and role; then the link, shown once.
import type { InvitedMember } from '@mxproof/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Input, Label, TextField } from 'react-aria-components';
import { accountProblem } from '../account/account-problem.ts';
import { ShownOnce } from '../account/shown-once.tsx';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { members as text } from '../messages/en-people.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { waysQuery } from '../shell/ways.ts';
import { nameOfMember } from './member-questions.tsx';
import { ROLES, type Role } from './member-role.tsx';

const EMAIL_MAX = 254;

export function InviteMember({
  onMade,
  onClose,
}: {
  readonly onMade: (made: InvitedMember) => void;
  readonly onClose: () => void;
}) {
  const queries = useQueryClient();
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<Role>('member');
  const [isMissing, setMissing] = useState(false);
  const invite = useMutation({
    mutationFn: () => mx.members.invite({ email: email.trim(), role }),
    onSuccess: async (made) => {
      onMade(made);
      await queries.invalidateQueries({ queryKey: keys.members });
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    setMissing(email.trim() === '');
    if (email.trim() !== '') invite.mutate();
  }

  const problem = isMissing ? text.needed : invite.error ? accountProblem(invite.error) : null;
  return (
    <DialogBox title={text.invite} onClose={onClose}>
      <form className="stack" onSubmit={submit} noValidate>
        <TextField
          className="field"
          value={email}
          onChange={(typed) => {
            setEmail(typed);
            setMissing(false);
            invite.reset();
          }}
          type="email"
          maxLength={EMAIL_MAX}
          isInvalid={problem !== null}
          autoFocus
        >
          <Label>{text.email}</Label>
          <Input
            className="input"
            inputMode="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </TextField>
        <fieldset className="role-choice">
          <legend className="field-name">{text.role}</legend>
          {ROLES.map((each) => (
            <label key={each} className="tick">
              <input type="radio" name="role" checked={role === each} onChange={() => setRole(each)} />
              <span>
                <span className="field-name">{messages.roles[each]}</span>{' '}
                <span className="tick-hint small soft">{text.may[each]}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
        <div className="row">
          <Button type="submit" variant="primary" isDisabled={invite.isPending}>
            {invite.isPending ? text.sending : text.send}
          </Button>
          <Button slot="close">{messages.cancel}</Button>
        </div>
      </form>
    </DialogBox>
  );
}

export function InvitationLink({
  made,
  onClose,
}: {
  readonly made: InvitedMember;
  readonly onClose: () => void;
}) {
  const { data: ways } = useQuery(waysQuery);
  const title = text.linkTitle(nameOfMember(made));
  return (
    // A click beside it must not lose what is never shown again.
    <DialogBox title={title} isDismissable={false} onClose={onClose}>
      <ShownOnce name={title} secret={made.link} warning={text.linkWarning} copyLabel={text.copy} />
      {ways?.mail && made.email !== null && <p className="small soft">{text.alsoMailed(made.email)}</p>}
      <Button slot="close" variant="primary">
        {text.done}
      </Button>
    </DialogBox>
  );
}
