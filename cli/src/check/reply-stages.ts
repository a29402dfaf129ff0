// The stages `mxproof reply --stage` knows. Separate from reply.ts, so that help does not load the engine.

import type { Stage } from '@mxproof/engine';

const STAGES: readonly Stage[] = ['connect', 'banner', 'ehlo', 'starttls', 'mail', 'rcpt', 'rset'];
const LATER_STAGE = 'data';
export const NAMED_STAGES: readonly string[] = [...STAGES, LATER_STAGE];
