// Submits one list, in the worker: serializing 100,000 addresses would block the main thread for longer than a frame.
import { IdempotencyKeyReused, InsufficientCredits, type ListSummary } from '@mxproof/client';
import { mx } from '../shell/api.ts';
import { isSignedOut, problemText } from '../shell/problem.ts';
import type { Part } from './start-lists.ts';

/** Errors lose their class when a worker posts them. */
export type Refusal =
  | { readonly kind: 'short'; readonly needed: number }
  | { readonly kind: 'signed_out' | 'key_reused' | 'other'; readonly sentence: string };

export type SubmitResult =
  | { readonly kind: 'created'; readonly list: ListSummary }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export async function submitPart(
  emails: readonly string[],
  { name, group, file, mailWhenDone, idempotencyKey }: Part,
): Promise<SubmitResult> {
  try {
    const list = {
      ...{ emails, name },
      ...(group !== undefined && { group }),
      ...(file && { file }),
      ...(mailWhenDone !== undefined && { mailWhenDone }),
    };
    return { kind: 'created', list: await mx.lists.create(list, { idempotencyKey }) };
  } catch (error) {
    return { kind: 'refused', refusal: refusalOf(error) };
  }
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof InsufficientCredits) return { kind: 'short', needed: error.needed };
  const sentence = problemText(error);
  if (isSignedOut(error)) return { kind: 'signed_out', sentence };
  return { kind: error instanceof IdempotencyKeyReused ? 'key_reused' : 'other', sentence };
}

/** The same on the main thread's side. */
export class StartRefusal extends Error {
  override readonly name = 'StartRefusal';
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.kind);
    this.refusal = refusal;
  }
}
