// Says that this very file was checked before, with the way to its results; where only its first addresses were, the others
// can be checked alone. Only where that list still is in this account.
import { ListNotFound } from '@mxproof/client';
import { NO_FIXES } from '@mxproof/files/address-text';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Button } from '../design/button.tsx';
import { formatMoment } from '../design/format.ts';
import { Notice } from '../design/notice.tsx';
import { newList } from '../messages/en-new-list.ts';
import { findByMark, type OwnFile } from '../own-file/own-file.ts';
import { mx } from '../shell/api.ts';
import { checkRest, type Draft } from './draft.ts';
import type { FileReading } from './read.worker.ts';
import { layoutOf } from './start-lists.ts';

const text = newList;
/** The newest; one asked after the other. */
const FILES_TRIED_MAX = 5;

export function CheckedBefore({
  reading,
  rest,
}: {
  readonly reading: FileReading;
  readonly rest: Draft['rest'];
}) {
  const { mark } = reading;
  const before = useQuery({
    queryKey: ['checked-before', mark],
    queryFn: async ({ signal }) => {
      for (const own of (await findByMark(mark)).slice(0, FILES_TRIED_MAX)) {
        const list = await mx.lists.get(own.listIds[0]!, { signal }).catch((error: unknown) => {
          if (error instanceof ListNotFound) return null;
          throw error;
        });
        if (list !== null) return { own, list };
      }
      return null;
    },
    staleTime: 0,
  });
  if (!before.data) return null;
  const { own, list } = before.data;
  const moment = formatMoment(list.created_at);
  const first = firstOf(own, reading);
  const left = first ? first.of - first.count : 0;
  return (
    <Notice>
      <span>
        {rest
          ? text.onlyRest(left)
          : `${first ? text.firstBefore(first.count, first.of, moment) : text.checkedBefore(moment)} ${text.againCharged}`}
      </span>
      <Link to="/lists/$id" params={{ id: String(list.id) }}>
        {text.seeResults}
      </Link>
      {first && (
        <Button onPress={() => checkRest(rest ? null : { own, first, shownName: list.name })}>
          {rest ? text.allAgain : text.restOnly(left)}
        </Button>
      )}
    </Notice>
  );
}

/** Null: all of them were sent, or it was read another way, so that others came first. */
function firstOf({ first, layout, fixes = NO_FIXES }: OwnFile, reading: FileReading) {
  const before = JSON.stringify([layout, [...fixes].sort()]);
  const now = JSON.stringify([layoutOf(reading), [...reading.fixes].sort()]);
  const isSame = first?.of === sum(reading.parts) && before === now;
  return isSame ? first : null;
}

function sum(parts: readonly number[]): number {
  return parts.reduce((all, part) => all + part, 0);
}
