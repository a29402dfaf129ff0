// A browser's session: begun with a key, asked about, ended. The key goes to the service once and is kept nowhere in the browser.
import { ConnectionFailed, type SignedIn } from '@mxproof/client';
import type { proofKept } from './session-proof.ts';

const WRONG_KEY = 401;
const TOO_MANY = 429;

export type SignInAnswer = 'signed_in' | 'wrong_key' | 'too_many';

export function browserSession({
  path,
  proofHeader,
  keyField,
  proof,
}: {
  readonly path: string;
  readonly proofHeader: string;
  readonly keyField: string;
  readonly proof: ReturnType<typeof proofKept>;
}) {
  async function send(method: 'GET' | 'POST' | 'DELETE', body?: object): Promise<Response> {
    try {
      return await fetch(path, {
        method,
        headers: {
          'x-mxproof-console': '1',
          [proofHeader]: proof.read() ?? '',
          ...(body && { 'content-type': 'application/json' }),
        },
        ...(body && { body: JSON.stringify(body) }),
      });
    } catch (cause) {
      throw new ConnectionFailed('No answer from the service.', { cause });
    }
  }
  return {
    send,
    async signIn(key: string): Promise<SignInAnswer> {
      const answer = await send('POST', { [keyField]: key });
      if (answer.ok) {
        proof.keep(((await answer.json()) as SignedIn).proof);
        return 'signed_in';
      }
      if (answer.status === WRONG_KEY) return 'wrong_key';
      if (answer.status === TOO_MANY) return 'too_many';
      throw new Error(`POST ${path}: ${answer.status}`);
    },
    async signOut(): Promise<void> {
      const answer = await send('DELETE');
      // Otherwise it has ended already.
      if (!answer.ok && answer.status !== WRONG_KEY) throw new Error(`DELETE ${path}: ${answer.status}`);
      proof.keep(null);
    },
  };
}
