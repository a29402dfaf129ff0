// Signing in at a real provider, and every way in which somebody could be let in who is not.
import { createHmac } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startService, type TestService } from '../../../test/http-service.ts';
import { openBrowser, PUBLIC_URL, REDIRECT_URI, sentenceOf } from '../../../test/openid-browser.ts';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOpenIdProvider,
  type TestProvider,
} from '../../../test/openid-provider.ts';
import { until } from '../../../test/until.ts';
import { fetchNamed } from '../../callback/fetch-named.ts';
import { joinByMailbox, makeInvitation } from '../../flow/join.ts';
import { THE_SERVICE } from '../../rules/audit.ts';
import { insertMember } from '../../store/members.ts';
import { CLOCK_TOLERANCE_SECONDS, MAX_AT_ONCE } from './openid-provider.ts';
import { sweepFlows } from './stored-flows.ts';

let service: TestService;
let provider: TestProvider;
/** Requests for tokens wait for it. */
let held: Promise<void> | null = null;
let waiting = 0;
/** Of an answer of the provider's: long, for machines with much to do. */
const PATIENT_MS = 10_000;
let limitMs = PATIENT_MS;
beforeAll(async () => {
  provider = await startOpenIdProvider(REDIRECT_URI);
  service = await startService({
    publicUrl: PUBLIC_URL,
    async fetchNamed(url, request) {
      if (held && url.endsWith('/token')) {
        waiting += 1;
        await held;
      }
      return fetchNamed(url, request, { dnsServers: [], limitMs });
    },
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
  limitMs = PATIENT_MS;
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

test('nobody is let in who is not invited, and nothing is kept of them', async () => {
  provider.person = {
    subject: 'a stranger',
    claims: { email: 'stranger@example.com', email_verified: true },
  };
  const answer = await browse().signIn();
  expect(answer).toMatchObject({
    status: 403,
    cookie: '',
    json: { error: 'you are not invited: ask an owner of the account' },
  });
  for (const table of ['people', 'person_identities'])
    expect(await db().query(`SELECT 1 FROM mxproof.${table} t WHERE t::text ~ 'stranger'`), table).toEqual(
      [],
    );
  const known = await db().query('SELECT 1 FROM mxproof.openid_flows WHERE page_hash IS NOT NULL');
  expect(known).toEqual([]);
});

test('a mailbox counts only if the provider has verified it, and says so as the specification does', async () => {
  for (const email_verified of [false, undefined, null, 'true', 1, 'yes']) {
    await invited({ email_verified });
    expect([email_verified, (await browse().signIn()).json.error]).toEqual([
      email_verified,
      'you are not invited: ask an owner of the account',
    ]);
  }
  const odd = await invited();
  provider.person = { ...provider.person, claims: { email: [odd.email], email_verified: true } };
  expect((await browse().signIn()).status).toBe(403);
});

test('of two mailboxes the one in the token counts, and nothing that is said of the other', async () => {
  const { email } = await invited({ email: 'another@example.com' });
  provider.token = (claims) => Object.assign(claims, { email });
  expect((await browse().signIn()).status).toBe(403);
  provider.token = (claims) => Object.assign(claims, { email, email_verified: true });
  expect((await browse().signIn()).status).toBe(200);
});

test('begun on the page of an invitation, it joins whoever the provider names, with another mailbox or none', async () => {
  const { accountId } = service.account;
  const member = await insertMember(db(), { accountId, email: 'as-invited@example.com', role: 'viewer' });
  const token = await db().transaction((tx) => makeInvitation(tx, member!.id, false));
  provider.person = { subject: 'somebody else', claims: { email: 'unproved@example.com' } };
  const signedIn = await browse().signIn(`/sign-in/openid?invitation=${token}`);
  expect((await accountOf(signedIn)).status).toBe(200);
  const again = await browse().signIn();
  expect((await accountOf(again)).status).toBe(200);
  // Nobody else joins by it.
  provider.person = { subject: 'a third', claims: {} };
  expect((await browse().signIn(`/sign-in/openid?invitation=${token}`)).status).toBe(403);
  const [row] = await db().query<{ email: string | null }>(
    'SELECT p.email FROM mxproof.people p JOIN mxproof.members m ON m.person_id = p.id WHERE m.id = $1',
    [member!.id],
  );
  expect(row!.email).toBeNull();
});

test("a membership that a person has is not another's, whatever the provider says of a mailbox", async () => {
  const first = await invited();
  await browse().signIn();
  provider.person = { subject: 'a successor', claims: { email: first.email, email_verified: true } };
  expect((await browse().signIn()).status).toBe(403);
  // Once the membership is gone, and the mailbox is invited again, it is theirs.
  await service.call('DELETE', `/v1/members/${first.memberId}`);
  await service.call('POST', '/v1/members', { body: { email: first.email, role: 'viewer' } });
  expect((await accountOf(await browse().signIn())).status).toBe(200);
});

test('who has signed in with a mailed link is the same person at the provider', async () => {
  const { email, memberId } = await invited();
  const mailed = await db().transaction((tx) => joinByMailbox(tx, THE_SERVICE, email));
  expect((await accountOf(await browse().signIn())).status).toBe(200);
  const [row] = await db().query('SELECT person_id AS person FROM mxproof.members WHERE id = $1', [memberId]);
  expect(row).toEqual({ person: mailed });
});

describe('claims', () => {
  test('make and change the membership of the account that they name', async () => {
    await db().query("UPDATE mxproof.accounts SET external_id = 'acme' WHERE id = $1", [
      service.account.accountId,
    ]);
    const owner = await insertMember(db(), {
      accountId: service.account.accountId,
      email: 'own@example.com',
      role: 'owner',
    });
    await db().query('UPDATE mxproof.members SET joined_at = now() WHERE id = $1', [owner!.id]);
    const roleOf = async () => {
      const [row] = await db().query<{ role: string }>(
        `SELECT m.role FROM mxproof.members m JOIN mxproof.person_identities i ON i.person_id = m.person_id
         WHERE i.subject = $1`,
        [provider.person.subject],
      );
      return row?.role ?? null;
    };
    const as = (role: unknown, company = 'acme') => {
      provider.person = { subject: 'by claims', claims: { company, role } };
    };
    as('admin');
    expect((await browse().signIn()).status).toBe(403);
    as('owner', 'another');
    expect((await browse().signIn()).status).toBe(403);
    expect(await roleOf()).toBeNull();
    as(['staff', 'viewer']);
    expect((await accountOf(await browse().signIn())).json.name).toBe('tests');
    expect(await roleOf()).toBe('viewer');
    as(['viewer', 'owner', 'member']);
    await browse().signIn();
    expect(await roleOf()).toBe('owner');
    // An account keeps an owner.
    await db().query("UPDATE mxproof.members SET role = 'viewer' WHERE id = $1", [owner!.id]);
    as('viewer');
    expect((await browse().signIn()).status).toBe(200);
    expect(await roleOf()).toBe('owner');
  });
});

describe('operators', () => {
  const signIn = () => browse().signIn('/operator/sign-in/openid');
  const overview = ({ cookie, json }: { cookie: string; json: { proof?: string } }) =>
    service.call('GET', '/operator/session', {
      key: null,
      headers: { cookie, 'mxproof-operator-proof': json.proof ?? '' },
    });

  test('are those of the list, and those with the claim; the trail says who', async () => {
    for (const [subject, claims] of [
      ['boss', {}],
      ['anybody', { groups: ['staff', 'operators'] }],
      ['one more', { groups: 'operators' }],
    ] as const) {
      provider.person = { subject, claims };
      const signedIn = await signIn();
      expect((await overview(signedIn)).json.scope).toBe('write');
      const [row] = await db().query<{ name: string }>(
        "SELECT actor_name AS name FROM mxproof.audit WHERE action = 'operator.signed_in' ORDER BY id DESC LIMIT 1",
      );
      expect(row!.name).toBe(subject);
    }
  });

  test('are nobody else: neither a member, nor who says so in another claim', async () => {
    for (const claims of [
      {},
      { groups: 'Operators' },
      { groups: ['operators,staff'] },
      { groups: [['operators']] },
      { role: 'operators' },
    ]) {
      await invited(claims);
      expect((await signIn()).json.error).toBe(
        'you are not an operator of this service: ask its administrator',
      );
    }
  });

  test('get no session of an account, nor members one of the operator', async () => {
    provider.person = { subject: 'boss', claims: {} };
    const browser = browse();
    const page = await (
      await browser.comeBack(await browser.signInAt(await browser.begin('/operator/sign-in/openid')))
    ).text();
    const crossed = await browser.redeem(page.replace('/operator/sign-in/', '/sign-in/'));
    expect([crossed.status, crossed.cookie]).toEqual([403, '']);
    expect((await browse().signIn()).status).toBe(403);
  });
});

const EXPIRED = 'This sign-in has expired, was used, or began in another browser: begin again.';
const UNTRUSTED = 'The answer of the sign-in provider cannot be trusted: tell the operator of this service.';
const REFUSED = 'The sign-in provider did not let you in: begin again, or ask its administrator.';
const SILENT = 'The sign-in provider does not answer: try again, or sign in another way.';

describe('an attacker', () => {
  /** What the browser is told that comes back. */
  async function told(page: Response) {
    expect(page.headers.get('content-type')).toContain('text/html');
    expect(page.headers.getSetCookie().join()).not.toContain('session');
    expect(page.headers.get('cache-control')).toBe('no-store');
    const html = await page.text();
    expect(html).toContain(`<a href="${PUBLIC_URL}/">Go to the sign-in page</a>`);
    return sentenceOf(html);
  }

  test('replays what a browser has come back with: it works once', async () => {
    await invited();
    const browser = browse();
    const query = await browser.signInAt(await browser.begin());
    const cookies = new Map(browser.cookies);
    const page = await browser.comeBack(query);
    const html = await page.text();
    expect(await told(await browser.comeBack(query))).toBe(EXPIRED);
    expect((await browser.redeem(html)).status).toBe(200);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    const again = await browser.redeem(html);
    expect([again.status, again.cookie]).toEqual([403, '']);
    expect(await told(await browser.comeBack(query))).toBe(EXPIRED);
  });

  test('sends somebody a link that would sign them in as the attacker', async () => {
    await invited();
    const attacker = browse();
    const query = await attacker.signInAt(await attacker.begin());
    const victim = browse();
    expect(await told(await victim.comeBack(query))).toBe(EXPIRED);
    await victim.begin();
    expect(await told(await victim.comeBack(query))).toBe(EXPIRED);
    // Nor with the page that the attacker has come back to.
    const html = await (await attacker.comeBack(query)).text();
    expect((await victim.redeem(html)).status).toBe(403);
    for (const origin of ['https://evil.example', 'null'])
      expect((await attacker.redeem(html, { origin })).json.error).toContain("service's own page");
    expect((await attacker.redeem(html, {})).status).toBe(403);
    expect((await attacker.redeem(html)).status).toBe(200);
  });

  test('makes up a state, repeats it, or leaves it out', async () => {
    await invited();
    const browser = browse();
    const query = await browser.signInAt(await browser.begin());
    const state = query.get('state')!;
    for (const other of [null, '', 'x', state.slice(1), `${state.slice(0, -1)}A`, 'A'.repeat(43)]) {
      const changed = new URLSearchParams(query);
      if (other === null) changed.delete('state');
      else changed.set('state', other);
      if (other !== state) expect(await told(await browser.comeBack(changed))).toBe(EXPIRED);
    }
    const twice = new URLSearchParams(query);
    twice.append('state', state);
    expect(await told(await browser.comeBack(twice))).toBe(EXPIRED);
    expect((await browser.redeem(await browser.comeBack(query))).status).toBe(200);
  });

  test('presents the code of another sign-in', async () => {
    await invited();
    const [first, second] = [browse(), browse()];
    const stolen = await first.signInAt(await first.begin());
    const query = await second.signInAt(await second.begin());
    query.set('code', stolen.get('code')!);
    expect(await told(await second.comeBack(query))).toBe(REFUSED);
    query.set('code', 'nonsense');
    expect(await told(await second.comeBack(query))).toBe(EXPIRED);
  });

  test('comes back after ten minutes', async () => {
    await invited();
    const age = (minutes: number) =>
      db().query('UPDATE mxproof.openid_flows SET created_at = now() - make_interval(mins => $1)', [minutes]);
    const browser = browse();
    const query = await browser.signInAt(await browser.begin());
    await age(10);
    expect(await told(await browser.comeBack(query))).toBe(EXPIRED);
    const other = browse();
    const page = await (await other.comeBack(await other.signInAt(await other.begin()))).text();
    await age(10);
    expect((await other.redeem(page)).json.error).toContain('has expired');
    await sweepFlows(db());
    expect(await db().query('SELECT 1 FROM mxproof.openid_flows')).toEqual([]);
  });

  test('mixes up issuers', async () => {
    await invited();
    for (const iss of ['https://evil.example', `${provider.issuer}/`, null]) {
      const browser = browse();
      const query = await browser.signInAt(await browser.begin());
      expect(query.get('iss')).toBe(provider.issuer);
      if (iss === null) query.delete('iss');
      else query.set('iss', iss);
      const asked = provider.asked.length;
      expect(await told(await browser.comeBack(query))).toBe(UNTRUSTED);
      // The code has gone to nobody.
      expect(provider.asked.slice(asked)).not.toContain('/token');
    }
  });

  test('says where to go afterwards: nobody listens', async () => {
    await invited();
    const browser = browse();
    const evil = 'https%3A%2F%2Fevil.example%2F';
    const begun = await browser.begin(
      `/sign-in/openid?return_to=${evil}&redirect_uri=${evil}&next=//evil.example`,
    );
    expect([begun.origin, begun.searchParams.get('redirect_uri')]).toEqual([provider.issuer, REDIRECT_URI]);
    expect(begun.href).not.toContain('evil');
    const query = await browser.signInAt(begun);
    query.set('return_to', 'https://evil.example/');
    const html = await (await browser.comeBack(query)).text();
    expect(html).toContain("location.replace('/')");
    expect(html).not.toContain('evil');
  });

  test('leads somebody to join an account of theirs: the page of the invitation asks first', async () => {
    const { memberId } = await invited();
    const token = await db().transaction((tx) => makeInvitation(tx, memberId, false));
    for (const site of ['cross-site', 'same-site', 'none', null]) {
      const victim = browse();
      const headers: Record<string, string> = site === null ? {} : { 'sec-fetch-site': site };
      const led = await victim.begin(`/sign-in/openid?invitation=${token}`, headers);
      expect([led.pathname, victim.cookies.size]).toEqual([`/join/${token}`, 0]);
    }
  });

  test('has the page say something of theirs', async () => {
    const browser = browse();
    const state = (await browser.begin()).searchParams.get('state')!;
    const query = new URLSearchParams({
      state,
      iss: provider.issuer,
      error: 'access_denied',
      error_description: '<script>alert(1)</script>',
      error_uri: 'https://evil.example',
    });
    const page = await browser.comeBack(query);
    expect([page.status, page.headers.get('mxproof-error')]).toEqual([403, 'provider_refused']);
    const html = await page.text();
    expect(sentenceOf(html)).toBe(REFUSED);
    expect(html).not.toMatch(/alert|evil/);
    expect(service.logged.join('')).not.toMatch(/alert|evil/);
  });

  test.each<[string, (claims: Record<string, unknown>, header: Record<string, unknown>) => void]>([
    ['for another client', (claims) => Object.assign(claims, { aud: 'another' })],
    [
      'for several clients',
      (claims) => Object.assign(claims, { aud: [CLIENT_ID, 'another'], azp: 'another' }),
    ],
    ['of another sign-in', (claims) => Object.assign(claims, { nonce: 'A'.repeat(43) })],
    ['without a nonce', (claims) => delete claims.nonce],
    ['of another issuer', (claims) => Object.assign(claims, { iss: 'https://evil.example' })],
    ['without a subject', (claims) => delete claims.sub],
    ['without an end', (claims) => delete claims.exp],
    ['that nobody signed', (_claims, header) => Object.assign(header, { alg: 'none' })],
    ['of an unknown key', (_claims, header) => Object.assign(header, { kid: 'another' })],
  ])('has a token %s', async (_what, change) => {
    await invited();
    provider.token = change;
    const browser = browse();
    expect(await told(await browser.comeBack(await browser.signInAt(await browser.begin())))).toBe(UNTRUSTED);
  });

  test.each([
    ['the client secret', () => CLIENT_SECRET],
    ["the provider's public key", () => provider.publicKey()],
  ])('signs a token with %s', async (_what, secret) => {
    await invited();
    provider.asked.length = 0;
    const jwt = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
    provider.instead = (path, real) => {
      if (path === '/.well-known/openid-configuration') {
        const told = {
          ...JSON.parse(real.toString()),
          id_token_signing_alg_values_supported: ['HS256', 'RS256'],
        };
        return { body: JSON.stringify(told) };
      }
      if (path !== '/token') return null;
      const answer = JSON.parse(real.toString());
      const claims = JSON.parse(Buffer.from(answer.id_token.split('.')[1], 'base64url').toString());
      const input = `${jwt({ alg: 'HS256' })}.${jwt(claims)}`;
      const signature = createHmac('sha256', secret()).update(input).digest('base64url');
      return { body: JSON.stringify({ ...answer, id_token: `${input}.${signature}` }) };
    };
    const browser = browse();
    expect(await told(await browser.comeBack(await browser.signInAt(await browser.begin())))).toBe(UNTRUSTED);
    // It has said before that it signs so.
    expect(provider.asked).toContain('/.well-known/openid-configuration');
  });

  test('replays a token of an earlier sign-in', async () => {
    await invited();
    let earlier: Buffer | null = null;
    provider.instead = (path, real) => {
      if (path !== '/token') return null;
      earlier ??= real;
      return { body: earlier };
    };
    expect((await browse().signIn()).status).toBe(200);
    const browser = browse();
    expect(await told(await browser.comeBack(await browser.signInAt(await browser.begin())))).toBe(UNTRUSTED);
  });

  test('has a claim of somebody else told beside the token', async () => {
    const { email } = await invited();
    provider.instead = (path) =>
      path === '/me' ? { body: JSON.stringify({ sub: 'another', email, email_verified: true }) } : null;
    const browser = browse();
    expect(await told(await browser.comeBack(await browser.signInAt(await browser.begin())))).toBe(UNTRUSTED);
  });
});

describe('a provider', () => {
  const comesBack = async () => {
    const browser = browse();
    const page = await browser.comeBack(await browser.signInAt(await browser.begin()));
    return page.headers.has('mxproof-error')
      ? sentenceOf(await page.text())
      : (await browser.redeem(page)).status;
  };

  test('may change its keys: new ones count at once, and old ones no more', async () => {
    await invited();
    expect(await comesBack()).toBe(200);
    provider.rotate();
    expect(await comesBack()).toBe(200);
    provider.withOldKey();
    expect(await comesBack()).toBe(UNTRUSTED);
    provider.rotate();
    expect(await comesBack()).toBe(200);
  });

  test('may have a clock that is a little wrong, and no more', async () => {
    await invited();
    const now = Math.floor(Date.now() / 1000);
    const ends = (exp: number, nbf = now - 600) => {
      provider.token = (claims) => Object.assign(claims, { exp, nbf, iat: nbf });
    };
    ends(now - CLOCK_TOLERANCE_SECONDS / 2);
    expect(await comesBack()).toBe(200);
    ends(now - CLOCK_TOLERANCE_SECONDS - 5);
    expect(await comesBack()).toBe(UNTRUSTED);
    ends(now + 3_600, now + CLOCK_TOLERANCE_SECONDS / 2);
    expect(await comesBack()).toBe(200);
    ends(now + 3_600, now + CLOCK_TOLERANCE_SECONDS + 600);
    expect(await comesBack()).toBe(UNTRUSTED);
  });

  test.each([
    ['hangs', () => 'hang' as const],
    ['answers megabytes', () => ({ body: `{"x":"${'x'.repeat(5_000_000)}"}` })],
    ['is broken', () => ({ status: 500, body: 'oops' })],
  ])('that %s signs nobody in, and keeps nobody waiting', async (what, instead) => {
    await invited();
    for (const where of ['/token', '/jwks', '/me']) {
      provider.instead = (path) => (path === where ? instead() : null);
      if (what === 'hangs') limitMs = 1_000;
      const expected = what === 'answers megabytes' ? UNTRUSTED : SILENT;
      expect([where, await comesBack()]).toEqual([where, expected]);
    }
    provider.instead = null;
    limitMs = PATIENT_MS;
    expect(await comesBack()).toBe(200);
  });

  test('that is down is said so, and is found again', async () => {
    await invited();
    const browser = browse();
    const query = await browser.signInAt(await browser.begin());
    await provider.stop();
    expect(sentenceOf(await (await browser.comeBack(query)).text())).toBe(SILENT);
    const begun = await browser.get('/sign-in/openid');
    expect([begun.status, sentenceOf(await begun.text())]).toEqual([503, SILENT]);
    expect(begun.headers.has('location')).toBe(false);
    await provider.start();
    expect(await comesBack()).toBe(200);
  });

  test(`is asked for ${MAX_AT_ONCE} browsers at once, and no more`, async () => {
    await invited();
    const browsers = Array.from({ length: MAX_AT_ONCE + 1 }, () => browse());
    const queries: URLSearchParams[] = [];
    for (const browser of browsers) {
      queries.push(await browser.signInAt(await browser.begin()));
      await db().query('DELETE FROM mxproof.sign_in_attempts');
    }
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    held = promise;
    const first = browsers.slice(1).map((browser, at) => browser.comeBack(queries[at + 1]!));
    await until(() => waiting === MAX_AT_ONCE);
    expect(sentenceOf(await (await browsers[0]!.comeBack(queries[0]!)).text())).toBe(SILENT);
    held = null;
    letGo();
    for (const page of await Promise.all(first)) expect(page.status).toBe(200);
  });
});

test('sign-ins under way are 10,000 at most: of more, the oldest makes room', async () => {
  await invited();
  const first = browse();
  const query = await first.signInAt(await first.begin());
  await db().query(
    `INSERT INTO mxproof.openid_flows (state_hash, browser_hash, nonce, verifier)
     SELECT sha256(n::text::bytea), 'x', '', '' FROM generate_series(1, 9999) n`,
  );
  const second = browse();
  const later = await second.signInAt(await second.begin());
  const [row] = await db().query<{ count: number }>('SELECT count(*) AS count FROM mxproof.openid_flows');
  expect(row!.count).toBe(10_000);
  expect((await first.comeBack(query)).headers.get('mxproof-error')).toBe('sign_in_expired');
  expect((await second.comeBack(later)).status).toBe(200);
  await db().query('DELETE FROM mxproof.openid_flows');
});

test('the secrets of a sign-in are in no log', async () => {
  await invited();
  const browser = browse();
  const url = await browser.begin();
  const query = await browser.signInAt(url);
  const [cookie] = [...browser.cookies.values()];
  const html = await (await browser.comeBack(query)).text();
  await browser.redeem(html);
  const log = service.logged.join('');
  const { searchParams } = url;
  for (const secret of [
    query.get('code'),
    query.get('state'),
    searchParams.get('nonce'),
    cookie,
    CLIENT_SECRET,
  ])
    expect(log).not.toContain(secret!);
  expect(log).not.toContain(encodeURIComponent(CLIENT_SECRET));
  expect(log).not.toContain(provider.person.claims.email as string);
});

test('signing in with keys is switched off here, for accounts and for operators; programs use them as before', async () => {
  const off = await service.call('POST', '/session', {
    key: null,
    body: { api_key: service.account.apiKey },
  });
  expect([off.status, off.json.error]).toEqual([
    403,
    'signing in with a key is switched off: choose another way to sign in',
  ]);
  const operator = await service.call('POST', '/operator/session', { key: null, body: { admin_key: 'x' } });
  expect([operator.status, operator.headers['mxproof-error']]).toEqual([403, 'sign_in_by_key_off']);
  expect((await service.call('GET', '/v1/account')).status).toBe(200);
  const ways = await service.call('GET', '/session/ways', { key: null });
  expect(ways.json).toEqual({ key: false, mail: false, openid: { name: 'Acme' } });
  const operators = await service.call('GET', '/operator/session/ways', { key: null });
  expect(operators.json).toEqual({ key: false, openid: { name: 'Acme' } });
});
