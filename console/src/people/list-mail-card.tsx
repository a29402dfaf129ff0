// The signed-in member's choice of mail when lists are done, for all of their lists.
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Notice, ProblemNotice } from '../design/notice.tsx';
import { Tick } from '../design/tick.tsx';
import { listMail as text } from '../messages/en-people.ts';
import { keys, mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import { useOwnMember } from './own-member.ts';

export function ListMailCard() {
  const queries = useQueryClient();
  const own = useOwnMember();
  const change = useMutation({
    mutationFn: (isWanted: boolean) => mx.members.updateMe({ list_mail: isWanted }),
    onSuccess: (changed) => queries.setQueryData(keys.ownMember, changed),
  });
  if (!own?.sends_mail) return null;
  const { mail_to: mailbox, list_mail: isChosen, mail_stopped: isStopped, mail_error: fault } = own;
  return (
    <section className="card stack" aria-labelledby="list-mail-title">
      <h2 id="list-mail-title">{text.title}</h2>
      <p className="soft">{text.intro}</p>
      {mailbox === null ? (
        <Notice>{text.notProved}</Notice>
      ) : (
        <Tick
          name={text.tick}
          hint={text.hint(mailbox)}
          isSet={change.isPending ? change.variables : isChosen}
          isDisabled={change.isPending}
          onChange={change.mutate}
        />
      )}
      {isStopped && <Notice tone="warning">{text.stopped}</Notice>}
      {fault !== null && <Notice tone="warning">{text.failed(fault)}</Notice>}
      {change.isError && <ProblemNotice>{problemText(change.error)}</ProblemNotice>}
    </section>
  );
}
