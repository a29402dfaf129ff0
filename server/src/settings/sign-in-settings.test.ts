import { expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { describeSettings } from './describe-settings.ts';

const SET = {
  MXPROOF_PUBLIC_URL: 'https://verify.example.com',
  MXPROOF_OIDC_ISSUER: 'https://login.example.com/',
  MXPROOF_OIDC_CLIENT_ID: 'mxproof',
  MXPROOF_OIDC_CLIENT_SECRET: 'a secret',
};
const refused = (env: Record<string, string>) => {
  try {
    return readConfig(env).signIn;
  } catch (error) {
    return (error as Error).message;
  }
};

test('without any, people sign in with keys; a provider is one setting more and more', () => {
  expect(readConfig({}).signIn).toEqual({ byKey: true, byMail: false, openid: null });
  expect(readConfig({ ...SET, MXPROOF_SIGN_IN_BY_KEY: 'off' }).signIn).toEqual({
    byKey: false,
    byMail: false,
    openid: {
      issuer: 'https://login.example.com/',
      clientId: 'mxproof',
      clientSecret: 'a secret',
      name: 'login.example.com',
      publicUrl: 'https://verify.example.com',
      accountClaim: null,
      roleClaim: null,
      operators: { subjects: [], claim: null },
    },
  });
  const { openid } = readConfig({
    ...SET,
    MXPROOF_OIDC_NAME: 'Example',
    MXPROOF_OIDC_OPERATORS: 'ann, bob',
    MXPROOF_OIDC_OPERATOR_CLAIM: 'https://example.com/groups=a=b',
  }).signIn;
  expect(openid).toMatchObject({
    name: 'Example',
    operators: { subjects: ['ann', 'bob'], claim: { name: 'https://example.com/groups', value: 'a=b' } },
  });
});

test('mail signs in where there is a relay and a sender', () => {
  const relay = { MXPROOF_SMTP_RELAY: 'smtps://mail.example.com' };
  expect(readConfig(relay).signIn.byMail).toBe(false);
  expect(readConfig({ ...relay, MXPROOF_ALERT_FROM: 'mx@example.com' }).signIn.byMail).toBe(true);
});

test.each([
  'http://login.example.com',
  'http://10.0.0.1',
  'http://localhost.example.com',
  'https://user@login.example.com',
  'https://login.example.com/?x=1',
  'https://login.example.com/#x',
  'login.example.com',
  'ftp://login.example.com',
])('an issuer is https, or on this machine: not %s', (issuer) => {
  expect(refused({ ...SET, MXPROOF_OIDC_ISSUER: issuer })).toMatch(
    /^MXPROOF_OIDC_ISSUER must be an https URL/,
  );
});

test.each([
  'http://127.0.0.1:4000',
  'http://localhost',
  'http://[::1]:4000/realms/x',
])('an issuer may be %s', (issuer) => {
  expect(refused({ ...SET, MXPROOF_OIDC_ISSUER: issuer })).toMatchObject({ openid: { issuer } });
});

test.each([
  'common',
  'organizations',
  'consumers',
  'Common/',
])('an issuer of many tenants is refused: %s', (tenant) => {
  const issuer = `https://login.microsoftonline.com/${tenant}/v2.0`.replace('//v2.0', '/v2.0');
  expect(refused({ ...SET, MXPROOF_OIDC_ISSUER: issuer })).toMatch(/must name one tenant/);
});

test('what must be there besides is said in one sentence, which repeats no secret', () => {
  for (const name of Object.keys(SET)) {
    const { [name as keyof typeof SET]: _left, ...rest } = SET;
    const said = refused(rest);
    expect(said).toMatch(new RegExp(`^${name} must be set when `));
    expect(said).not.toContain('a secret');
  }
  expect(refused({ ...SET, MXPROOF_PUBLIC_URL: 'http://verify.example.com' })).toBe(
    'MXPROOF_PUBLIC_URL must be https when MXPROOF_OIDC_ISSUER is set.',
  );
  expect(refused({ ...SET, MXPROOF_OIDC_ROLE_CLAIM: 'role' })).toBe(
    'MXPROOF_OIDC_ACCOUNT_CLAIM must be set when MXPROOF_OIDC_ROLE_CLAIM is.',
  );
  for (const claim of ['groups', 'groups=', '=x'])
    expect(refused({ ...SET, MXPROOF_OIDC_OPERATOR_CLAIM: claim })).toMatch(/must have the form claim=value/);
});

test('the secret is shown to nobody, and is told from a file as others are', () => {
  const shown = JSON.stringify(describeSettings(SET));
  expect(shown).not.toContain('a secret');
  expect(shown).toContain('MXPROOF_OIDC_CLIENT_SECRET');
});
