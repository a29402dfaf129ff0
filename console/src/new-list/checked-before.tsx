// Says that this very file was checked before, with the way to its results. Only where that list still is in this account.
import { ListNotFound } from '@mxproof/client';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { formatMoment } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { messages } from '../messages/messages.ts';
import { findByMark } from '../own-file/own-file.ts';
import { mx } from '../shell/api.ts';

const text = messages.newList;
/** The newest; one asked after the other. */
const FILES_TRIED_MAX = 5;

export function CheckedBefore({ mark }: { readonly mark: string }) {
  const before = useQuery({
    queryKey: ['checked-before', mark],
    queryFn: async ({ signal }) => {
      for (const { listIds } of (await findByMark(mark)).slice(0, FILES_TRIED_MAX)) {
        const list = await mx.lists.get(listIds[0]!, { signal }).catch((error: unknown) => {
          if (error instanceof ListNotFound) return null;
          throw error;
        });
        if (list !== null) return list;
      }
      return null;
    },
    staleTime: 0,
  });
  if (!before.data) return null;
  return (
    <Notice>
      <span>
        {text.checkedBefore(formatMoment(before.data.created_at))} {text.againCharged}
      </span>
      <Link to="/lists/$id" params={{ id: String(before.data.id) }}>
        {text.seeResults}
      </Link>
    </Notice>
  );
}
