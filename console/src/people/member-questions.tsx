// What is asked before a member gets another link, or is removed.
import type { InvitedMember, Member } from '@mxproof/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { accountProblem } from '../account/account-problem.ts';
import { Button } from '../design/button.tsx';
import { DialogBox } from '../design/dialog-box.tsx';
import { ProblemNotice } from '../design/notice.tsx';
import { members as text } from '../messages/en-people.ts';
import { messages } from '../messages/messages.ts';
import { keys, mx } from '../shell/api.ts';

export const nameOfMember = ({ id, email }: Pick<Member, 'id' | 'email'>) => email ?? text.unnamed(id);

export function RenewLink({
  member,
  onMade,
  onClose,
}: {
  readonly member: Member;
  readonly onMade: (made: InvitedMember) => void;
  readonly onClose: () => void;
}) {
  const renew = useMutation({ mutationFn: () => mx.members.link(member.id), onSuccess: onMade });
  return (
    <DialogBox title={text.newLinkTitle(nameOfMember(member))} isQuestion onClose={onClose}>
      <p>{text.newLinkMeaning}</p>
      {renew.isError && <ProblemNotice>{accountProblem(renew.error)}</ProblemNotice>}
      <div className="row">
        <Button variant="primary" isDisabled={renew.isPending} onPress={() => renew.mutate()}>
          {text.makeLink}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}

export function RemoveMember({
  member,
  isSelf,
  onClose,
  onRemoved,
}: {
  readonly member: Member;
  readonly isSelf: boolean;
  readonly onClose: () => void;
  readonly onRemoved: () => void;
}) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => mx.members.delete(member.id),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: keys.members });
      onRemoved();
    },
  });
  return (
    <DialogBox title={text.removeTitle(nameOfMember(member))} isQuestion onClose={onClose}>
      <p>{isSelf ? text.removeSelf : text.removeMeaning}</p>
      {remove.isError && <ProblemNotice>{accountProblem(remove.error)}</ProblemNotice>}
      <div className="row">
        <Button variant="danger" isDisabled={remove.isPending} onPress={() => remove.mutate()}>
          {text.confirm}
        </Button>
        <Button slot="close">{messages.cancel}</Button>
      </div>
    </DialogBox>
  );
}
