// What the signed-in member has chosen to be mailed.
import type { OwnMember } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { keys, mx } from '../shell/api.ts';
import { useRole } from '../shell/own-session.ts';

/** Undefined: not known, or no member. */
export function useOwnMember(): OwnMember | undefined {
  const isMember = (useRole() ?? null) !== null;
  return useQuery({
    queryKey: keys.ownMember,
    queryFn: ({ signal }) => mx.members.me({ signal }),
    enabled: isMember,
  }).data;
}
