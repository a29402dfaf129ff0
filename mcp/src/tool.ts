// What a tool is, and how one is offered. Promise: every call ends as a result (what cannot be done is one with `isError` and one
// sentence), every text in it is clean and bounded, and the key is in none.

import type { CallToolResult, McpServer, ServerContext } from '@modelcontextprotocol/server';
import type { MXProof } from '@mxproof/client';
import { z } from 'zod';
import type { BegunChecks } from './begun-checks.ts';
import { cleanText } from './clean-text.ts';
import { failureSentence } from './failure-sentence.ts';
import type { Spending } from './spending.ts';
import { ToolRefusal } from './tool-refusal.ts';

/** What all calls of a run share. */
export interface Parts {
  readonly mx: MXProof;
  readonly spending: Spending;
  readonly begun: BegunChecks;
  readonly readOnly: boolean;
  readonly apiKey: string;
  /** To the person who runs it. */
  readonly say: (text: string) => void;
}

export interface Call extends Parts {
  /** The host has given up, or gone. */
  readonly signal: AbortSignal;
  /** Told to a host that asked for it. */
  readonly report: (done: number, total: number, message: string) => void;
}

/** Everything of a result is JSON. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };
export type View = Record<string, Json>;

export interface Tool {
  /** A run in read-only mode does not offer it. */
  readonly charges: boolean;
  offer(server: McpServer, parts: Parts): void;
}

interface Definition<Input extends z.ZodRawShape> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly charges?: boolean;
  readonly input: Input;
  readonly run: (input: z.output<z.ZodObject<Input>>, call: Call) => Promise<View>;
}

/** A host that sends more at once is not waiting for answers. */
const MAX_CALLS = 16;
const MAX_SENTENCE_CHARACTERS = 500;
let calls = 0;

export function defineTool<Input extends z.ZodRawShape>(tool: Definition<Input>): Tool {
  const { name, title, description, charges = false, input, run } = tool;
  const annotations = {
    readOnlyHint: !charges,
    destructiveHint: false,
    idempotentHint: !charges,
    openWorldHint: true,
  };
  const schema = z.strictObject(input);
  return {
    charges,
    offer: (server, parts) =>
      void server.registerTool(
        name,
        { title, description, inputSchema: firstIssueOf(schema), annotations },
        (given, context) =>
          answered(parts, () => run(given as z.output<z.ZodObject<Input>>, callOf(parts, context))),
      ),
  };
}

/** One sentence about the first mistake, however many there are. */
function firstIssueOf<Schema extends z.ZodType>(schema: Schema) {
  const standard = schema['~standard'];
  return {
    '~standard': {
      ...standard,
      async validate(value: unknown) {
        const result = await standard.validate(value);
        if (result.issues === undefined) return result;
        const [{ message, path } = { message: 'wrong arguments', path: undefined }] = result.issues;
        return { issues: [{ message: cleanText(message, MAX_SENTENCE_CHARACTERS), ...(path && { path }) }] };
      },
    },
  };
}

function callOf(parts: Parts, { mcpReq }: ServerContext): Call {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    ...parts,
    signal: mcpReq.signal,
    report(progress, total, message) {
      if (progressToken === undefined) return;
      const params = { progressToken, progress, total, message: cleanText(message) };
      // A host that is gone is told nothing.
      mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {});
    },
  };
}

async function answered(parts: Parts, run: () => Promise<View>): Promise<CallToolResult> {
  calls += 1;
  try {
    if (calls > MAX_CALLS)
      throw new ToolRefusal('Too many calls at once: wait until earlier ones have been answered.');
    const answer = cleanJson(await run(), parts.apiKey) as Record<string, unknown>;
    return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
  } catch (error) {
    const sentence = error instanceof ToolRefusal ? error.message : failureSentence(error);
    if (sentence === null) parts.say(`a tool failed: ${error instanceof Error ? error.stack : error}`);
    const text = cleanString(
      sentence ??
        'This tool failed by a mistake of its own: tell the user to look into the log of this server.',
      parts.apiKey,
    );
    return { content: [{ type: 'text', text }], isError: true };
  } finally {
    calls -= 1;
  }
}

function cleanJson(value: Json, apiKey: string): unknown {
  if (typeof value === 'string') return cleanString(value, apiKey);
  if (Array.isArray(value)) return value.map((one) => cleanJson(one, apiKey));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cleanJson(one, apiKey)]));
}

/** Something in front of the service may repeat what was sent to it. */
function cleanString(text: string, apiKey: string): string {
  return cleanText(text.replaceAll(apiKey, '(key)'));
}
