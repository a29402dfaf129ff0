// The engine as a library: what the server, the command line and other programs may use.

export { DETAIL_WORDS as DETAILS } from '@mxproof/common/vocabulary/labels';
export { type ReadingWatch, type SlowTurn, Watchdog } from '@mxproof/common/watchdog';
export { asciiDomain } from './address/ascii-domain.ts';
export { validateHelo, validateMailFrom } from './address/own-names.ts';
export { parseAddress } from './address/parse-address.ts';
export { type BounceClass, bounceClass } from './bounce/bounce-class.ts';
export { MAX_BOUNCE_CHARS } from './bounce/find-replies.ts';
export { type ReplyReport, readBounce, reportReply } from './bounce/read-bounce.ts';
export { certainVerdict } from './check/certain-verdict.ts';
export { inspectAddress } from './check/inspect-address.ts';
export { unansweredVerdict } from './check/unanswered.ts';
export { createChecker } from './checker.ts';
export { type CheckerOptions, type SourceOption, validateSentinel } from './checker-options.ts';
export { judgeServers } from './dns/judge-servers.ts';
export { DEFAULT_SENTINELS } from './dns/sentinels.ts';
export { createWireResolver } from './dns/wire-resolver.ts';
export { DisposableOverrides, type OverrideEntries } from './domain/disposable-overrides.ts';
export { DOTLESS_RULE, isDotless } from './domain/dotless.ts';
export { PROVIDER_NAMES, PROVIDER_WORDS } from './domain/provider.ts';
export { isProviderName } from './domain/provider-name.ts';
export { OverridesFault, OverridesReader } from './domain/read-overrides.ts';
export { suggestDomain } from './domain/suggest-domain.ts';
export { defaultHeloName, findHeloName } from './helo.ts';
export { grantOf } from './pace/permit-windows.ts';
export { DEFAULT_POLICY } from './policy/default-policy.ts';
export { parsePolicy } from './policy/parse-policy.ts';
export {
  ANY_SOURCE,
  hasWarmUp,
  type Policy,
  replacePolicy,
  WARM_UP_OTHER,
  type WarmUpSettings,
  warmUpAt,
  warmUpKey,
  warmUpOf,
} from './policy/policy.ts';
export type * from './ports.ts';
export { netConnect } from './smtp/wire/net-connect.ts';
export { ReplyReader } from './smtp/wire/reply-reader.ts';
export type * from './types.ts';
export { explain } from './verdict/explain.ts';
export { replyFromText } from './verdict/parse-reply-text.ts';
export { readAtStage } from './verdict/read-at-stage.ts';
export { readReply } from './verdict/read-reply.ts';
export { meaningOutcome, verdict } from './verdict/verdict.ts';
