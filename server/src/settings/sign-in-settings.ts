// How people sign in besides with a key: at an OpenID provider that the operator names.
// Promise: what contradicts itself is an OperatorError of one sentence, which repeats no secret.
import { isThisMachine } from './alert-settings.ts';
import { type Kind, partsOf, refuse } from './setting-kinds.ts';

export interface OpenIdSettings {
  /** As it is written: some issuers end with a slash. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button says. */
  readonly name: string;
  /** Where the provider sends browsers back to: `/sign-in/openid/callback` of this origin. */
  readonly publicUrl: string;
  /** Names the account by its external id. Null: the provider makes nobody a member. */
  readonly accountClaim: string | null;
  /** Null: whoever has an account by its claim is a member. */
  readonly roleClaim: string | null;
  readonly operators: {
    readonly subjects: readonly string[];
    readonly claim: { readonly name: string; readonly value: string } | null;
  };
}

export interface SignInSettings {
  readonly byKey: boolean;
  /** Links by mail: there is a relay, and a sender. */
  readonly byMail: boolean;
  /** Null: not set up. */
  readonly openid: OpenIdSettings | null;
}

const MAX_TEXT = 200;
const MAX_OPERATORS = 100;
const PRINTABLE = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+$/u;
/** They sign in whoever has an account with Microsoft, and each of their tokens names another issuer. */
const OF_MANY_TENANTS = /^https:\/\/login\.microsoftonline\.com\/(common|organizations|consumers)(\/|$)/i;

/** What is said to it over http could be read and changed on its way: that stays on this machine. */
export const issuerUrl: Kind<string> = (value, name) => {
  const url = URL.parse(value);
  const isFit =
    url !== null &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal(url))) &&
    url.username + url.password + url.search + url.hash === '';
  if (!isFit)
    refuse(
      name,
      'must be an https URL without a user name, such as https://login.example.com; http only on this machine',
    );
  if (OF_MANY_TENANTS.test(value))
    refuse(name, 'must name one tenant, as in https://login.microsoftonline.com/<tenant id>/v2.0');
  return value;
};

/** Whether http is allowed to it. */
export function isLocal({ hostname }: URL): boolean {
  return isThisMachine(hostname.replace(/^\[|\]$/g, ''));
}

export const shortText: Kind<string> = (value, name) =>
  value.length <= MAX_TEXT && PRINTABLE.test(value)
    ? value
    : refuse(name, `must be at most ${MAX_TEXT} printable characters`);

export const subjects: Kind<readonly string[]> = (value, name) => {
  const all = partsOf(value);
  if (all.length === 0 || all.length > MAX_OPERATORS || !all.every((each) => PRINTABLE.test(each)))
    refuse(name, `must be a comma-separated list of at most ${MAX_OPERATORS} subjects of the provider`);
  return Object.freeze(all);
};

export const claimValue: Kind<{ readonly name: string; readonly value: string }> = (value, name) => {
  const [, claim, wanted] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (claim === undefined || wanted === undefined || value.length > MAX_TEXT || !PRINTABLE.test(value))
    return refuse(name, 'must have the form claim=value, such as groups=mxproof-operators');
  return Object.freeze({ name: claim, value: wanted });
};

/** Null: no provider is set. */
export function openIdSettings(values: {
  readonly oidcIssuer: string | null;
  readonly oidcClientId: string | null;
  readonly oidcClientSecret: string | null;
  readonly oidcName: string | null;
  readonly oidcAccountClaim: string | null;
  readonly oidcRoleClaim: string | null;
  readonly oidcOperators: readonly string[] | null;
  readonly oidcOperatorClaim: { readonly name: string; readonly value: string } | null;
  readonly publicUrl: string | null;
}): OpenIdSettings | null {
  const { oidcIssuer, oidcClientId, oidcClientSecret, publicUrl } = values;
  if (oidcIssuer === null) {
    const others = [oidcClientId, oidcClientSecret, values.oidcName, values.oidcAccountClaim];
    const operators = [values.oidcRoleClaim, values.oidcOperators, values.oidcOperatorClaim];
    return [...others, ...operators].every((each) => each === null)
      ? null
      : refuse('MXPROOF_OIDC_ISSUER', 'must be set when another setting of MXPROOF_OIDC_… is');
  }
  if (oidcClientId === null) return needs('MXPROOF_OIDC_CLIENT_ID');
  if (oidcClientSecret === null) return needs('MXPROOF_OIDC_CLIENT_SECRET');
  if (publicUrl === null) return needs('MXPROOF_PUBLIC_URL');
  const origin = new URL(publicUrl);
  if (origin.protocol !== 'https:' && !isLocal(origin))
    return refuse('MXPROOF_PUBLIC_URL', 'must be https when MXPROOF_OIDC_ISSUER is set');
  if (values.oidcRoleClaim !== null && values.oidcAccountClaim === null)
    return refuse('MXPROOF_OIDC_ACCOUNT_CLAIM', 'must be set when MXPROOF_OIDC_ROLE_CLAIM is');
  return Object.freeze({
    issuer: oidcIssuer,
    clientId: oidcClientId,
    clientSecret: oidcClientSecret,
    name: values.oidcName ?? new URL(oidcIssuer).host,
    publicUrl,
    accountClaim: values.oidcAccountClaim,
    roleClaim: values.oidcRoleClaim,
    operators: Object.freeze({ subjects: values.oidcOperators ?? [], claim: values.oidcOperatorClaim }),
  });
}

function needs(name: string): never {
  return refuse(name, 'must be set when MXPROOF_OIDC_ISSUER is');
}
