// A link that signs a browser in: made in the store, at the URL of a node that serves the console.

import { hostname } from 'node:os';
import { type HttpNode, LINK_MINUTES, localUrl, servingNodes, type Tx } from '@mxproof/server/operate';
import { isLoopback } from '../account/service-account.ts';
import { plain, printJson, printLine } from '../shared/print.ts';
import { UsageError } from '../shared/usage-error.ts';
import { withStore } from './with-store.ts';

export interface LinkOptions {
  readonly url?: string;
  readonly json?: boolean;
}

/** Addresses of other nodes that are named. */
const MAX_OTHERS = 5;

/** `about`: what the JSON says beside the link. */
export async function printSignInLink(
  { url, json }: LinkOptions,
  {
    make,
    urlOf,
    about = {},
  }: {
    /** Its token. */
    make(tx: Tx): Promise<string>;
    urlOf(service: string, token: string): string;
    readonly about?: object;
  },
): Promise<void> {
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new UsageError('--url must be the address of the service, such as https://mxproof.example.com.');
  const { token, serving, configured } = await withStore(({ db, config }) =>
    db.transaction(async (tx) => ({
      token: await make(tx),
      serving: await servingNodes(tx, hostname()),
      configured: config.publicUrl ?? localUrl(config, config.port),
    })),
  );
  const link = urlOf(url ?? serving[0]?.url ?? configured, token);
  if (json) return printJson({ ...about, url: link, running: serving.length > 0 });
  printLine(link);
  printLine(`It signs in one browser, once, within ${LINK_MINUTES} minutes.`);
  for (const note of notesOn(serving, { url, configured })) process.stderr.write(`${plain(note)}\n`);
}

/** Printed below the link if browsers may not reach its URL, or if other nodes serve the console too. */
function notesOn(
  [chosen, ...others]: readonly HttpNode[],
  { url, configured }: { readonly url: string | undefined; readonly configured: string },
): string[] {
  if (chosen === undefined)
    return [
      `No service is running on this store: start it first ("mxproof serve"). ${
        url === undefined ? `With these settings it will be at ${configured}.` : ''
      }`.trimEnd(),
    ];
  if (url !== undefined || chosen.isPublic) return [];
  const elsewhere = [...new Set(others.map((node) => node.url))].filter((each) => each !== chosen.url);
  return [
    ...(chosen.machine !== hostname() && isLoopback(chosen.url)
      ? [
          `The service runs on ${chosen.machine}, and this address works on that machine only: set MXPROOF_PUBLIC_URL there, or pass --url.`,
        ]
      : []),
    ...(elsewhere.length > 0
      ? [`Other nodes serve the same console: ${elsewhere.slice(0, MAX_OTHERS).join(', ')}.`]
      : []),
  ];
}
