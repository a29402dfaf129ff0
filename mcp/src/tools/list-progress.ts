import { z } from 'zod';
import { MAX_WAIT_SECONDS, progressView, waitForList } from '../list-view.ts';
import { defineTool } from '../tool.ts';

export const LIST_ID = z
  .int('list_id is a positive whole number.')
  .min(1, 'list_id is a positive whole number.')
  .describe('As check_addresses or recent_lists told it.');

export const listProgress = defineTool({
  name: 'list_progress',
  title: 'Progress of a list',
  description:
    'How far a list is, what its unchecked addresses wait for, when it ends at the latest, and how many addresses to send to, ' +
    'leave out or remove. Free.',
  input: {
    list_id: LIST_ID,
    wait_seconds: z
      .int()
      .min(0)
      .max(MAX_WAIT_SECONDS, `Wait at most ${MAX_WAIT_SECONDS} seconds, and call again.`)
      .default(0)
      .describe('How long to wait for its end.'),
  },
  run: async ({ list_id, wait_seconds }, call) =>
    progressView(await waitForList(list_id, wait_seconds * 1_000, call), call),
});
