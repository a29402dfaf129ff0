// Signing in at a real provider in Chromium: the cookies, the content security policy and the page that signs in by itself.
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, expect } from 'vitest';
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startOpenIdProvider,
  type TestProvider,
} from '../../server/test/openid-provider.ts';
import { signedInAt } from './suites/signed-in-at.ts';
import { withRig } from './with-rig.ts';

let provider: TestProvider;
let port: number;
beforeAll(async () => {
  // The provider has to know it before the service listens there.
  const first = createServer().listen(0, '127.0.0.1');
  await once(first, 'listening');
  port = (first.address() as AddressInfo).port;
  first.close();
  provider = await startOpenIdProvider(`http://127.0.0.1:${port}/sign-in/openid/callback`);
});
afterAll(async () => {
  expect(provider.asked).toContain('/token');
  await provider.stop();
});

withRig({ 'signing in at a provider': (rig) => signedInAt(rig, () => provider) }, () => ({
  PORT: String(port),
  MXPROOF_PUBLIC_URL: `http://127.0.0.1:${port}`,
  MXPROOF_OIDC_ISSUER: provider.issuer,
  MXPROOF_OIDC_CLIENT_ID: CLIENT_ID,
  MXPROOF_OIDC_CLIENT_SECRET: CLIENT_SECRET,
  MXPROOF_OIDC_NAME: 'Acme',
  MXPROOF_OIDC_OPERATORS: 'boss',
}));
