// GET and POST /operator/sign-in/<token>: a one-time link that signs an operator's browser in.
import type { LinkKind } from '../../http/routes/sign-in.ts';
import { plainHeaded, signInPages } from '../../http/sign-in-page.ts';
import type { SessionKind } from '../../http/wire/session-cookie.ts';
import { redeemOperatorLink } from './sign-in.ts';
import { isOperatorLink, OPERATOR_SESSION_HOURS } from './stored-sign-ins.ts';

export const OPERATOR_SESSION: SessionKind = {
  cookie: 'mxproof_operator',
  proofHeader: 'mxproof-operator-proof',
  proofStoredAs: 'mxproof-operator-proof',
  maxAgeSeconds: OPERATOR_SESSION_HOURS * 3_600,
};

export const OPERATOR_HOME = '/operator';
const PAGES = signInPages(OPERATOR_SESSION, OPERATOR_HOME);

export const OPERATOR_LINK: LinkKind = {
  path: '/operator/sign-in/:token',
  session: OPERATOR_SESSION,
  policy: PAGES.policy,
  gone: plainHeaded(
    'This link no longer works',
    `<p>An operator’s sign-in link works once, within 15 minutes: this one was used, or is too old.</p>
<p>Make another with <code>mxproof admin link</code>, on a machine of the service.</p>
<p><a href="/operator">Open the operator’s pages</a>, if this browser is signed in.</p>`,
  ),
  page: async (db, hash) =>
    (await isOperatorLink(db, hash))
      ? PAGES.page(
          'Sign in as operator',
          '<p>You will see and change every account, list, source address and setting of this service.</p>',
        )
      : null,
  redeem: redeemOperatorLink,
};
