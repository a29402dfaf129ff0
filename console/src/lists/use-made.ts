// What was made of lists, as the service says it: one question for each list that may have retries or corrections.
import { ListNotFound, type ListSummary } from '@mxproof/client';
import { keepPreviousData, type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { keys, mx } from '../shell/api.ts';
import { type Made, type Question, questionsOf } from './fold-made.ts';

const NOTHING: { readonly made: readonly Made[]; readonly newest: number } = { made: [], newest: 0 };

/** `isKnown`: of a list that is not, it is not known yet whether it lies under another one. */
export function useMade(lists: readonly ListSummary[]) {
  const queries = useQueryClient();
  const questions = questionsOf(lists);
  const asked = useQuery({
    queryKey: ['made', ...questions.map(({ of, by, newest }) => `${by} ${of} ${newest}`)],
    queryFn: async () => ({
      made: await Promise.all(questions.map((question) => ask(queries, question))),
      newest: lists[0]?.id ?? 0,
    }),
    enabled: questions.length > 0,
    // With one list more, what was known of the others stays.
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isSettled = questions.length === 0 || asked.isError || (asked.isSuccess && !asked.isPlaceholderData);
  const { made, newest } = (questions.length > 0 && asked.data) || NOTHING;
  return { made, isKnown: ({ id }: ListSummary) => isSettled || id <= newest };
}

/** Once: what is made later is newer than what was asked for. */
async function ask(queries: QueryClient, { of, by, newest }: Question): Promise<Made> {
  const ids = await queries.fetchQuery({
    queryKey: ['made-of', by, of, newest],
    queryFn: () =>
      mx.lists[by](of).catch((error: unknown) => {
        // Deleted meanwhile.
        if (error instanceof ListNotFound) return [];
        throw error;
      }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  queries.setQueryData(keys[by](of), ids);
  return { of, by, ids };
}
