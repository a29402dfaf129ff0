import { z } from 'zod';
import { MAX_ROWS, rowsView } from '../list-view.ts';
import { ACTION_TITLES, reasonsOf } from '../result-view.ts';
import { defineTool } from '../tool.ts';
import { LIST_ID } from './list-progress.ts';

export const listResults = defineTool({
  name: 'list_results',
  title: 'Results of a list',
  description: `One page of a list's addresses, at most ${MAX_ROWS}, with what to do with each and why. Free.`,
  input: {
    list_id: LIST_ID,
    do: z
      .enum(ACTION_TITLES as [string, ...string[]], `do is one of: ${ACTION_TITLES.join(', ')}.`)
      .optional()
      .describe('Only addresses to do this with.'),
    offset: z.int().min(0).default(0).describe('Rows to skip: next_offset of the page before.'),
    limit: z
      .int()
      .min(1)
      .max(MAX_ROWS, `Ask for at most ${MAX_ROWS} rows a call.`)
      .default(MAX_ROWS)
      .describe('Rows of the page.'),
  },
  run: async ({ list_id, do: title, offset, limit }, call) => ({
    list_id,
    ...(await rowsView(
      list_id,
      { offset, limit, ...(title !== undefined && { reason: reasonsOf(title) }) },
      call,
    )),
  }),
});
