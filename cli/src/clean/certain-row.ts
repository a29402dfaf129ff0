// The row of an address that has its verdict before DNS or a mail server is asked, as the service would answer it.

import { certainVerdict } from '@mxproof/engine';
import type { ResultRow } from '@mxproof/files/result-columns';

/** Null: it has to be checked. `text` as it stands in a file: trimmed and lower-cased here, as by the service. */
export function certainRow(text: string): ResultRow | null {
  const email = text.trim().toLowerCase();
  const verdict = certainVerdict(email);
  return verdict === null ? null : { email, ...verdict, accept_all: verdict.acceptAll };
}
