// The engine as a library: what the server, the command line and other programs may use.
export { parseAddress } from './address/parse-address.ts';
export { createChecker } from './checker.ts';
export { type CheckerOptions, validateSentinel } from './checker-options.ts';
export { unansweredVerdict } from './conclude/unanswered.ts';
export { isPublicAddress } from './dns/public-address.ts';
export { DEFAULT_SENTINELS } from './dns/sentinels.ts';
export { createWireResolver } from './dns/wire-resolver.ts';
export { DOTLESS_RULE, isDotless } from './domain/dotless.ts';
export { defaultHeloName, findHeloName, validateHelo, validateMailFrom } from './helo.ts';
export { FairShare, type Holder, holderOf } from './pace/fair-share.ts';
export { DEFAULT_POLICY } from './policy/default-policy.ts';
export { parsePolicy } from './policy/parse-policy.ts';
export type { Policy } from './policy/policy.ts';
export type { Connect, Resolver } from './ports.ts';
export type * from './types.ts';
export { replyFromText } from './verdict/parse-reply-text.ts';
export { isReadByWording, readReply } from './verdict/read-reply.ts';
export { meaningOutcome } from './verdict/verdict.ts';
