// Signing in at a real provider, and every way in which somebody could be let in who is not.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { openBrowser, PUBLIC_URL, REDIRECT_URI, sentenceOf } from '../../../test/openid-browser.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOpenIdProvider,
  type TestProvider,
} from '../../../test/openid-provider.ts';
import { fetchNamed } from '../../callback/fetch-named.ts';
import { makeInvitation } from '../../flow/join.ts';
import { insertMember } from '../../store/members.ts';
import { CLOCK_TOLERANCE_SECONDS } from './openid-provider.ts';
import { sweepFlows } from './stored-flows.ts';

let service: TestService;
let provider: TestProvider;
beforeAll(async () => {
  provider = await startOpenIdProvider(REDIRECT_URI);
  service = await startService({
    publicUrl: PUBLIC_URL,
    fetchNamed: (url, request) => fetchNamed(url, request, { dnsServers: [], limitMs: 1_000 }),
    signIn: {
      byKey: false,
      byMail: false,
      openid: {
        issuer: provider.issuer,
        clientId: CLIENT_ID,
        clientSecret: CLIENT_SECRET,
        name: 'Acme',
        publicUrl: PUBLIC_URL,
        accountClaim: 'company',
        roleClaim: 'role',
        operators: { subjects: ['boss'], claim: { name: 'groups', value: 'operators' } },
      },
    },
  });
});
afterAll(async () => {
  await service.close();
  await provider.stop();
});
beforeEach(() => db().query('DELETE FROM mxproof.sign_in_attempts'));
afterEach(() => {
  provider.token = null;
  provider.instead = null;
});

const db = () => service.context.db;
const browse = () => openBrowser(service.port, provider);
let people = 0;

/** Somebody whom an owner has invited, and the provider knows by the same mailbox. */
async function invited(claims: Record<string, unknown> = {}) {
  people += 1;
  const email = `person${people}@example.com`;
  const member = await insertMember(db(), { accountId: service.account.accountId, email, role: 'member' });
  provider.person = { subject: `subject ${people}`, claims: { email, email_verified: true, ...claims } };
  return { email, memberId: member!.id };
}

async function accountOf({ cookie, json }: { cookie: string; json: { proof?: string } }) {
  const headers = { cookie, 'mxproof-session-proof': json.proof ?? '' };
  return service.call('GET', '/v1/account', { key: null, headers });
}

test('a person whom an owner has invited is signed in, and again without another invitation', async () => {
  const { email, memberId } = await invited();
  const first = await browse().signIn();
  expect(first.status).toBe(200);
  expect((await accountOf(first)).json.name).toBe('tests');
  // Whatever becomes of the mailbox, it is the same person.
  provider.person = { subject: provider.person.subject, claims: {} };
  const again = await browse().signIn();
  expect((await accountOf(again)).status).toBe(200);
  const [row] = await db().query<{ person: number; email: string; issuer: string; subject: string }>(
    `SELECT m.person_id AS person, p.email, i.issuer, i.subject FROM mxproof.members m
     JOIN mxproof.people p ON p.id = m.person_id JOIN mxproof.person_identities i ON i.person_id = p.id WHERE m.id = $1`,
    [memberId],
  );
  expect(row).toMatchObject({ email, issuer: provider.issuer, subject: provider.person.subject });
});
