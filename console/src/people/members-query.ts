// The members of the account, for those who manage it.
import { keys, mx } from '../shell/api.ts';
import { useOwnSession } from '../shell/own-session.ts';

export const membersQuery = {
  queryKey: keys.members,
  queryFn: ({ signal }: { readonly signal: AbortSignal }) => mx.members.list({ signal }),
};

/** Members are of the live account too: a test key does not reach them. */
export function useMayManageMembers(): boolean {
  const session = useOwnSession();
  return session?.manage === true && (session.can_switch_side || !session.test);
}
