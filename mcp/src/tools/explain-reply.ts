// explain_reply: what a mail server's reply, some lines of a log, or a whole bounce message mean.
import type { RecipientReply, Reply } from '@mxproof/client';
import { ACTIONS, actionFor } from '@mxproof/common/vocabulary/labels';
import { z } from 'zod';
import { defineTool, type Json } from '../tool.ts';
import { ToolRefusal } from '../tool-refusal.ts';

/** The service reads 256 kB; most bounces have a few thousand characters, and the first say what happened. */
const MAX_TEXT_CHARACTERS = 60_000;
const MAX_RECIPIENTS = 50;

export const explainReply = defineTool({
  name: 'explain_reply',
  title: 'Explain a reply or bounce',
  description:
    "What a mail server's reply (550 5.1.1 …), lines of a mail log or a bounce message mean for each recipient, and what to do. " +
    'Pass the text itself, not a path. Free; asks no mail server.',
  input: {
    text: z
      .string('Pass the text of the reply or bounce.')
      .min(1, 'Pass the text of the reply or bounce.')
      .max(
        MAX_TEXT_CHARACTERS,
        `Pass at most ${MAX_TEXT_CHARACTERS} characters: the reply, or the part of the bounce that has it.`,
      )
      .describe('Such as: 550 5.1.1 <ann@example.com> User unknown'),
  },
  async run({ text }, { mx, signal }) {
    const replies = await mx.readBounce(text, { signal });
    if (replies.length === 0)
      throw new ToolRefusal(
        'The text has no reply of a mail server: pass the line that begins with a code such as 550, or the whole bounce message.',
      );
    return {
      recipients: replies.length,
      replies: replies.slice(0, MAX_RECIPIENTS).map(replyView),
      ...(replies.length > MAX_RECIPIENTS && {
        next: `The first ${MAX_RECIPIENTS} are here: pass the rest of the text in another call.`,
      }),
    };
  },
});

function replyView(reply: RecipientReply | Reply): Json {
  const action = actionFor(reply);
  return {
    ...('position' in reply && { recipient: reply.position }),
    do: action === null ? null : ACTIONS[action].title,
    advice: reply.advice,
    explanation: reply.explanation,
    meaning: reply.meaning,
    clarity: reply.clarity,
    detail: reply.detail,
  };
}
