// The people of the account: invited, given another role, sent another link, removed.
import './members.css';
import type { InvitedMember, Member } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { accountProblem } from '../account/account-problem.ts';
import { Button } from '../design/button.tsx';
import { formatDay, formatMoment } from '../design/format.ts';
import { ProblemNotice } from '../design/notice.tsx';
import { members as text } from '../messages/en-people.ts';
import { type Column, Records } from '../operator/records.tsx';
import { useOwnSession } from '../shell/own-session.ts';
import { InvitationLink, InviteMember } from './invite-member.tsx';
import { nameOfMember, RemoveMember, RenewLink } from './member-questions.tsx';
import { MemberRole } from './member-role.tsx';
import { membersQuery } from './members-query.ts';

type Asked =
  | { readonly kind: 'invite' }
  | { readonly kind: 'renew' | 'remove'; readonly member: Member }
  | { readonly kind: 'link'; readonly made: InvitedMember };

export function MembersPanel() {
  const session = useOwnSession();
  const title = useRef<HTMLHeadingElement>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [removed, setRemoved] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => {
    // The button that had the focus is gone with its member.
    if (removed > 0) title.current?.focus();
  }, [removed]);
  const members = useQuery(membersQuery);
  const close = () => setAsked(null);
  const showLink = (made: InvitedMember) => setAsked({ kind: 'link', made });
  const isSelf = (member: Member) =>
    session?.role != null && member.email !== null && member.email === session.email;
  return (
    <>
      <section className="card stack" aria-labelledby="members-title">
        <div className="row">
          <h2 id="members-title" ref={title} tabIndex={-1}>
            {text.title}
          </h2>
          {members.isSuccess && (
            <div className="push">
              <Button variant="primary" onPress={() => setAsked({ kind: 'invite' })}>
                {text.invite}
              </Button>
            </div>
          )}
        </div>
        <p className="soft">{text.intro}</p>
        {members.isError && <ProblemNotice>{accountProblem(members.error)}</ProblemNotice>}
        {problem !== null && <ProblemNotice>{problem}</ProblemNotice>}
        {members.data?.length === 0 && (
          <div>
            <h3>{text.none}</h3>
            <p className="soft">{text.noneHint}</p>
          </div>
        )}
      </section>
      {members.data && members.data.length > 0 && (
        <Records
          name={text.title}
          rows={members.data}
          keyOf={({ id }) => id}
          columns={columns({ isSelf, onAsk: setAsked, onProblem: setProblem })}
        />
      )}
      {asked?.kind === 'invite' && <InviteMember onMade={showLink} onClose={close} />}
      {asked?.kind === 'renew' && <RenewLink member={asked.member} onMade={showLink} onClose={close} />}
      {asked?.kind === 'link' && <InvitationLink made={asked.made} onClose={close} />}
      {asked?.kind === 'remove' && (
        <RemoveMember
          member={asked.member}
          isSelf={isSelf(asked.member)}
          onClose={close}
          onRemoved={() => {
            close();
            setRemoved((count) => count + 1);
          }}
        />
      )}
    </>
  );
}

function columns({
  isSelf,
  onAsk,
  onProblem,
}: {
  readonly isSelf: (member: Member) => boolean;
  readonly onAsk: (asked: Asked) => void;
  readonly onProblem: (sentence: string | null) => void;
}): Column<Member>[] {
  const { columns: names } = text;
  return [
    {
      name: names.person,
      cell: (member) => (
        <>
          {nameOfMember(member)} {isSelf(member) && <span className="tag">{text.you}</span>}
        </>
      ),
    },
    {
      name: names.role,
      cell: (member) => <MemberRole member={member} isSelf={isSelf(member)} onProblem={onProblem} />,
    },
    {
      name: names.status,
      cell: ({ joined_at, created_at, last_seen_at, mail_error }) => (
        <span className="small">
          {joined_at === null ? text.invited(formatDay(created_at)) : text.joined(formatDay(joined_at))}
          {last_seen_at !== null && (
            <span className="records-below soft">{text.seen(formatMoment(last_seen_at))}</span>
          )}
          {mail_error !== null && (
            <span className="records-below member-fault">{text.mailFailed(mail_error)}</span>
          )}
        </span>
      ),
    },
    {
      name: names.actions,
      isShort: true,
      cell: (member) => (
        <span className="member-actions">
          <Button
            variant="quiet"
            aria-label={text.newLinkOf(nameOfMember(member))}
            onPress={() => onAsk({ kind: 'renew', member })}
          >
            {text.newLink}
          </Button>
          <Button
            variant="quiet"
            aria-label={text.removeOf(nameOfMember(member))}
            onPress={() => onAsk({ kind: 'remove', member })}
          >
            {text.remove}
          </Button>
        </span>
      ),
    },
  ];
}
