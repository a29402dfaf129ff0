// Which addresses of the file are on the account's suppression list: asked by the worker that has them, list by list.
import { mx } from '../shell/api.ts';
import { problemText } from '../shell/problem.ts';
import type { LeftOut } from './left-out.ts';

/** Checking waits for the answer: an error is said before long. */
const DEADLINE_MS = 90_000;

export type Suppressed =
  | {
      readonly kind: 'asking';
      readonly asked: number;
      /** Addresses of the file; 0: nobody knows yet whether there is anything to ask. */
      readonly of: number;
    }
  | {
      readonly kind: 'known';
      readonly places: LeftOut;
      readonly emails: readonly string[];
      /** On the list, whether or not in the file. */
      readonly listed: number;
    }
  | { readonly kind: 'failed'; readonly sentence: string };

export const ASKING: Suppressed = { kind: 'asking', asked: 0, of: 0 };

/** `parts`: of the file, as they are sent. Each answer is told as it comes, the last one is `known` or `failed`. */
export async function askSuppressed(
  parts: readonly (readonly string[])[],
  tell: (suppressed: Suppressed) => void,
): Promise<void> {
  const options = { deadlineMs: DEADLINE_MS };
  try {
    const { total: listed } = await mx.suppressions.count(options);
    const places: number[] = [];
    const emails: string[] = [];
    const of = parts.reduce((sum, part) => sum + part.length, 0);
    let asked = 0;
    for (const part of listed > 0 ? parts : []) {
      tell({ kind: 'asking', asked, of });
      for (const place of await mx.suppressions.check(part, options)) {
        places.push(asked + place);
        emails.push(part[place]!);
      }
      asked += part.length;
    }
    tell({ kind: 'known', places, emails, listed });
  } catch (error) {
    tell({ kind: 'failed', sentence: problemText(error) });
  }
}
