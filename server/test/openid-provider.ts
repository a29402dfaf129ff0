// A real OpenID provider on loopback (oidc-provider), whose answers a test can change on their way: what a broken or hostile one says.
// Promise: whoever comes is signed in as `person` at once; what is changed is signed with the provider's own key.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type JsonWebKey, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Provider } from 'oidc-provider';

type Claims = Record<string, unknown>;

interface Person {
  readonly subject: string;
  readonly claims: Claims;
}

/** What its paths answer instead; null: as they do. */
type Instead = (path: string, real: Buffer) => { status?: number; body: string | Buffer } | 'hang' | null;

export interface TestProvider {
  readonly issuer: string;
  /** Who is at the keyboard. */
  person: Person;
  /** Claims and header of ID tokens; unset: as they are. */
  token: ((claims: Claims, header: Claims) => void) | null;
  instead: Instead | null;
  /** Paths that were asked for. */
  readonly asked: string[];
  /** From now on it signs with another key. */
  rotate(): void;
  /** Signs with the key before it. */
  withOldKey(): void;
  /** Of the key with which it signs, as PEM. */
  publicKey(): string;
  stop(): Promise<void>;
  start(): Promise<void>;
}

export const CLIENT_ID = 'mxproof';
export const CLIENT_SECRET = 'a secret of the tests: with +, / and %';

export async function startOpenIdProvider(redirectUri: string): Promise<TestProvider> {
  let server: Server = createServer(handle);
  await listen(server, 0);
  const { port } = server.address() as AddressInfo;
  const issuer = `http://127.0.0.1:${port}`;
  const grants = new Map<string, Person>();
  let key = newKey(1);
  let before = key;
  let signing = key;
  let provider = create();

  const rig: TestProvider = {
    issuer,
    person: { subject: 'ann', claims: {} },
    token: null,
    instead: null,
    asked: [],
    rotate() {
      before = key;
      key = newKey(Number(key.kid) + 1);
      signing = key;
      provider = create();
    },
    withOldKey() {
      signing = before;
    },
    publicKey: () =>
      createPublicKey({ key: signing, format: 'jwk' }).export({ type: 'spki', format: 'pem' }).toString(),
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
    async start() {
      server = createServer(handle);
      await listen(server, port);
    },
  };
  return rig;

  function create(): Provider {
    const made = new Provider(issuer, {
      jwks: { keys: [key] },
      clients: [
        {
          client_id: CLIENT_ID,
          client_secret: CLIENT_SECRET,
          redirect_uris: [redirectUri],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      pkce: { required: () => true },
      features: { devInteractions: { enabled: false } },
      claims: { openid: ['sub', 'groups', 'company', 'role'], email: ['email', 'email_verified'] },
      cookies: { keys: ['of the tests'] },
      ttl: {
        Interaction: 600,
        Session: 600,
        Grant: 600,
        AccessToken: 600,
        IdToken: 600,
        AuthorizationCode: 60,
      },
      interactions: { url: () => '/interaction' },
      async findAccount(_context: unknown, accountId: string) {
        const person = grants.get(accountId);
        return person && { accountId, claims: async () => ({ sub: accountId, ...person.claims }) };
      },
    });
    // The library says on the console what is not fit for production.
    return made;
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url!.split('?', 1)[0]!;
    rig.asked.push(path);
    if (path === '/interaction') return interact(request, response);
    if (/^\/auth/.test(path)) return provider.callback()(request, response);
    const real: Buffer[] = [];
    const end = response.end.bind(response);
    const held = Object.assign(response, {
      write: (chunk: Buffer) => real.push(Buffer.from(chunk)) > 0,
      end: (chunk?: Buffer | string) => {
        if (chunk) real.push(Buffer.from(chunk));
        respond(path, Buffer.concat(real), response, end);
        return response;
      },
    });
    await provider.callback()(request, held as ServerResponse);
  }

  function respond(
    path: string,
    real: Buffer,
    response: ServerResponse,
    end: (body: Buffer | string) => void,
  ): void {
    const other = rig.instead?.(path, real) ?? null;
    if (other === 'hang') return;
    const body = other ? Buffer.from(other.body) : path === '/token' ? withToken(real) : real;
    if (other?.status) response.statusCode = other.status;
    response.setHeader('content-length', body.length);
    end(body);
  }

  function withToken(real: Buffer): Buffer {
    const answer = JSON.parse(real.toString()) as { id_token?: string };
    if (answer.id_token === undefined || (rig.token === null && signing === key)) return real;
    const [header = {}, claims = {}] = answer.id_token
      .split('.')
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()) as Claims);
    header.kid = signing.kid;
    rig.token?.(claims, header);
    const input = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature =
      header.alg === 'none'
        ? ''
        : sign('sha256', Buffer.from(input), createPrivateKey({ key: signing, format: 'jwk' })).toString(
            'base64url',
          );
    return Buffer.from(JSON.stringify({ ...answer, id_token: `${input}.${signature}` }));
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { subject } = rig.person;
    grants.set(subject, rig.person);
    const grant = new provider.Grant({ accountId: subject, clientId: CLIENT_ID });
    grant.addOIDCScope('openid email');
    const result = { login: { accountId: subject }, consent: { grantId: await grant.save() } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}

function newKey(kid: number): JsonWebKey & { kid: string } {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: String(kid), use: 'sig', alg: 'RS256' };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve) => server.listen(port, '127.0.0.1', resolve));
}
