// Ways of signing in besides a key: at an OpenID provider of the operator's, and with a link by mail.
import { limitSignIns } from '../../http/limit-sign-ins.ts';
import { sweepMailedLinks } from '../../store/mailed-links.ts';
import type { Feature } from '../feature.ts';
import { mailSignInRoutes } from './mail-routes.ts';
import { createProvider } from './openid-provider.ts';
import { openIdRoutes } from './openid-routes.ts';
import './schemas.ts';
import { sweepFlows } from './stored-flows.ts';
import { waysRoute } from './ways-route.ts';

export const signIn: Feature = {
  name: 'sign-in',
  sweeps: [sweepFlows, sweepMailedLinks],
  async pages(app, parts, { ready, admitLimitMs }) {
    const { openid } = parts.signIn;
    waysRoute(app, parts.signIn);
    await app.register(async (browser) => {
      limitSignIns(browser, parts.context.db, ready, admitLimitMs);
      openIdRoutes(browser, parts, openid && createProvider(openid, parts.fetchNamed));
      mailSignInRoutes(browser, parts);
    });
  },
};
