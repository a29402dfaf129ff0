// The role of a member, changed where it is shown. Giving up being an owner is asked about first.
import type { Member } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { accountProblem } from '../account/account-problem.ts';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { members as text } from '../messages/en-people.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';
import { nameOfMember } from './member-questions.tsx';

export type Role = Member['role'];
export const ROLES = ['viewer', 'member', 'owner'] as const satisfies readonly Role[];

export function MemberRole({
  member,
  isSelf,
  onProblem,
}: {
  readonly member: Member;
  readonly isSelf: boolean;
  readonly onProblem: (sentence: string | null) => void;
}) {
  const queries = useQueryClient();
  const [giveUpFor, setGiveUpFor] = useState<Role | null>(null);
  const change = useMutation({
    mutationFn: (role: Role) => mx.members.update(member.id, { role }),
    onMutate: () => onProblem(null),
    onError: (error) => onProblem(accountProblem(error)),
    onSettled: async () => {
      await queries.invalidateQueries({ queryKey: keys.members });
      if (isSelf) await queries.invalidateQueries({ queryKey: keys.session });
    },
  });
  return (
    <>
      <select
        className="input member-role"
        aria-label={text.roleOf(nameOfMember(member))}
        value={change.isPending ? change.variables : member.role}
        disabled={change.isPending}
        onChange={({ target }) => {
          const role = target.value as Role;
          if (isSelf && member.role === 'owner') setGiveUpFor(role);
          else change.mutate(role);
        }}
      >
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {messages.roles[role]}
          </option>
        ))}
      </select>
      {giveUpFor !== null && (
        <DialogBox title={text.demoteSelf} isQuestion onClose={() => setGiveUpFor(null)}>
          <p>{text.demoteMeaning}</p>
          <div className="row">
            <Button
              variant="danger"
              onPress={() => {
                setGiveUpFor(null);
                change.mutate(giveUpFor);
              }}
            >
              {text.demote(messages.roles[giveUpFor])}
            </Button>
            <Button slot="close">{messages.cancel}</Button>
          </div>
        </DialogBox>
      )}
    </>
  );
}
