// Talks to the provider that the operator has named: where it is, where browsers go, and what its answer proves (OpenID Connect, code
// flow with PKCE). Promise: nothing is believed but what the provider has signed for this client and this sign-in, or has told it about
// the same subject; its keys are asked for at every sign-in, so that rotated ones count at once; a provider that is down, slow or
// talkative costs a bounded time and memory, and keeps nothing from starting.
import { steadyNow } from '@mxproof/common/steady-now';
import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockTolerance,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  ResponseBodyError,
  type ServerMetadata,
} from 'openid-client';
import type { FetchNamed } from '../../callback/fetch-named.ts';
import { mailboxIn } from '../../rules/mailbox.ts';
import { ROLES, type Role } from '../../rules/roles.ts';
import { isLocal, type OpenIdSettings } from '../../settings/sign-in-settings.ts';
import type { Flow, Proved } from './stored-flows.ts';

/** Where the endpoints are is asked again after it. */
const DISCOVERED_MS = 10 * 60_000;
/** Between the provider's clock and ours. */
export const CLOCK_TOLERANCE_SECONDS = 60;
/** Sign-ins of this process that ask the provider. */
export const MAX_AT_ONCE = 20;
const MAX_SUBJECT_CHARACTERS = 255;
const MAX_ACCOUNT_CHARACTERS = 200;
const MAX_EMAIL_CHARACTERS = 254;
/** The spec's default scope of claims about the mailbox; what groups there are the provider decides. */
const SCOPE = 'openid email';
const CALLBACK_PATH = '/sign-in/openid/callback';

type ProviderRefusal = 'provider_unavailable' | 'provider_refused' | 'provider_untrusted';

interface Failed {
  readonly refusal: ProviderRefusal;
  /** For the log: words of the protocol, of the library or of the system, nothing that the provider wrote. */
  readonly reason: string;
}

export interface Provider {
  /** Where the browser goes. */
  begin(flow: { readonly state: string } & Pick<Flow, 'nonce' | 'verifier'>): Promise<URL | Failed>;
  /** `query`: with which the browser came back. */
  prove(
    query: string,
    flow: { readonly state: string } & Pick<Flow, 'nonce' | 'verifier'>,
  ): Promise<Proved | Failed>;
}

/** No answer, or one that cannot be read as one. */
class Silent extends Error {}

export function createProvider(settings: OpenIdSettings, fetchNamed: FetchNamed): Provider {
  const issuer = new URL(settings.issuer);
  const redirectUri = `${settings.publicUrl}${CALLBACK_PATH}`;
  let known: { readonly metadata: ServerMetadata; readonly untilMs: number } | null = null;
  let asking: Promise<ServerMetadata> | null = null;
  let atOnce = 0;

  const ask: CustomFetch = async (url, { method, headers, body }) => {
    const text = typeof body === 'string' ? body : body instanceof URLSearchParams ? body.toString() : '';
    const target = URL.parse(url);
    const answer = await fetchNamed(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...headers, 'content-length': String(Buffer.byteLength(text)) },
      body: text,
      // Those of a provider on this machine are on this machine too.
      allowsPlain: issuer.protocol === 'http:' && target !== null && isLocal(target),
    });
    if ('error' in answer) throw new Silent(answer.error);
    const { status, type, body: bytes } = answer;
    if (status < 200 || status > 499 || status === 204 || status === 205 || status === 304)
      throw new Silent(`status ${status}`);
    return new Response(new Uint8Array(bytes), {
      status,
      headers: type === null ? {} : { 'content-type': type },
    });
  };

  function secretWith(metadata: ServerMetadata): ClientAuth {
    const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return methods.includes('client_secret_basic')
      ? ClientSecretBasic(settings.clientSecret)
      : ClientSecretPost(settings.clientSecret);
  }

  /** Of one sign-in: it knows no keys yet. */
  function configured(metadata: ServerMetadata): Configuration {
    const client = { [clockTolerance]: CLOCK_TOLERANCE_SECONDS };
    const config = new Configuration(metadata, settings.clientId, client, secretWith(metadata));
    config[customFetch] = ask;
    enableNonRepudiationChecks(config);
    if (issuer.protocol === 'http:') allowInsecureRequests(config);
    return config;
  }

  /** Those who come meanwhile wait for the same answer. */
  function discovered(): Promise<ServerMetadata> {
    if (known !== null && steadyNow() < known.untilMs) return Promise.resolve(known.metadata);
    const execute = issuer.protocol === 'http:' ? [allowInsecureRequests] : [];
    asking ??= discovery(issuer, settings.clientId, {}, undefined, { [customFetch]: ask, execute })
      .then((config) => {
        const metadata = config.serverMetadata();
        known = { metadata, untilMs: steadyNow() + DISCOVERED_MS };
        return metadata;
      })
      .finally(() => {
        asking = null;
      });
    return asking;
  }

  async function limited<T>(work: () => Promise<T>): Promise<T | Failed> {
    if (atOnce >= MAX_AT_ONCE) return { refusal: 'provider_unavailable', reason: 'too many at once' };
    atOnce += 1;
    try {
      return await work();
    } catch (error) {
      // It may have moved.
      known = null;
      return failedBy(error);
    } finally {
      atOnce -= 1;
    }
  }

  return {
    begin: ({ state, nonce, verifier }) =>
      limited<URL | Failed>(async () => {
        const config = configured(await discovered());
        const url = buildAuthorizationUrl(config, {
          redirect_uri: redirectUri,
          scope: SCOPE,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        if (url.protocol === 'https:' || (issuer.protocol === 'http:' && isLocal(url))) return url;
        return { refusal: 'provider_untrusted', reason: 'authorization endpoint is not https' };
      }),
    prove: (query, { state, nonce, verifier }) =>
      limited<Proved | Failed>(async () => {
        const metadata = await discovered();
        const config = configured(metadata);
        const tokens = await authorizationCodeGrant(config, new URL(`${redirectUri}?${query}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        });
        const signed = tokens.claims()!;
        // The library lets a provider of many tenants name another.
        if (signed.iss !== metadata.issuer || new URL(signed.iss).href !== issuer.href)
          return { refusal: 'provider_untrusted', reason: 'issuer' };
        const wanted = claimsWanted(settings).filter((claim) => !(claim in signed));
        const told =
          wanted.length > 0 && metadata.userinfo_endpoint !== undefined
            ? await fetchUserInfo(config, tokens.access_token, signed.sub)
            : {};
        const email = mailboxOf('email' in signed ? signed : told);
        return provedBy({ ...told, ...signed }, email, settings);
      }),
  };
}

function claimsWanted({ accountClaim, roleClaim, operators }: OpenIdSettings): string[] {
  return ['email', accountClaim, roleClaim, operators.claim?.name ?? null].filter((claim) => claim !== null);
}

type Claims = Readonly<Record<string, unknown>> & { readonly iss: string; readonly sub: string };

function provedBy(claims: Claims, email: string | null, settings: OpenIdSettings): Proved | Failed {
  const { iss: issuer, sub: subject } = claims;
  if (subject.length > MAX_SUBJECT_CHARACTERS) return { refusal: 'provider_untrusted', reason: 'subject' };
  const { accountClaim, roleClaim, operators } = settings;
  const { claim } = operators;
  return {
    issuer,
    subject,
    email,
    account: accountClaim === null ? null : accountOf(claims[accountClaim]),
    role: roleClaim === null ? 'member' : roleOf(claims[roleClaim]),
    isOperator:
      operators.subjects.includes(subject) ||
      (claim !== null &&
        all(claims[claim.name]).some((value) => typeof value !== 'object' && String(value) === claim.value)),
  };
}

/** Only what the provider says it has verified, in the one way that the specification has for it, and where it says the mailbox. */
function mailboxOf({ email, email_verified: isVerified }: Readonly<Record<string, unknown>>): string | null {
  if (isVerified !== true || typeof email !== 'string' || email.length > MAX_EMAIL_CHARACTERS) return null;
  return mailboxIn(email);
}

function accountOf(value: unknown): string | null {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && text !== '' && text.length <= MAX_ACCOUNT_CHARACTERS ? text : null;
}

/** The highest. */
function roleOf(value: unknown): Role | null {
  return ROLES.findLast((role) => all(value).includes(role)) ?? null;
}

const all = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

const A_WORD = /^[a-z_]{1,40}$/;

function failedBy(error: unknown): Failed {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at instanceof Silent) return { refusal: 'provider_unavailable', reason: at.message };
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError)
    return { refusal: 'provider_refused', reason: A_WORD.test(error.error) ? error.error : 'refused' };
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  return { refusal: 'provider_untrusted', reason: code };
}
