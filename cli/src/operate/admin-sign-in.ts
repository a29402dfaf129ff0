// admin link and admin sign-out: the operator's own pages of the console, in a browser.

import {
  makeOperatorLink,
  OPERATOR_SESSION_HOURS,
  operatorSignInUrl,
  signOperatorsOut,
} from '@mxproof/server/operate';
import { printJson, printLine } from '../shared/print.ts';
import { type LinkOptions, printSignInLink } from './sign-in-link.ts';
import { commandActor, withStore } from './with-store.ts';

export async function adminLink(options: LinkOptions): Promise<void> {
  await printSignInLink(options, {
    make: (tx) => makeOperatorLink(tx, commandActor()),
    urlOf: operatorSignInUrl,
  });
  if (!options.json)
    printLine(
      `For ${OPERATOR_SESSION_HOURS} hours the browser can see and change everything: accounts, credits, keys, lists, sources. Treat the link like a password.`,
    );
}

export async function adminSignOut({ json }: { json?: boolean }): Promise<void> {
  const ended = await withStore(({ db }) => db.transaction((tx) => signOperatorsOut(tx, commandActor())));
  if (json) return printJson({ sessions_ended: ended });
  printLine(`Operator: ${ended === 1 ? '1 session' : `${ended} sessions`} ended.`);
}
