// The optional parts of the service, in the order in which they start.
import { admin } from './admin/feature.ts';
import { alerts } from './alerts/feature.ts';
import { audit } from './audit/feature.ts';
import { backup } from './backup/feature.ts';
import { doctor } from './doctor/feature.ts';
import { erasure } from './erasure/feature.ts';
import type { Feature } from './feature.ts';
import { mail } from './mail/feature.ts';
import { metrics } from './metrics/feature.ts';

import { outcomes } from './outcomes/feature.ts';
import { requests } from './requests/feature.ts';
import { signIn } from './sign-in/feature.ts';
import { sources } from './sources/feature.ts';
import { webhooks } from './webhooks/feature.ts';

export const FEATURES: readonly Feature[] = [
  sources,
  erasure,
  doctor,
  alerts,
  backup,
  metrics,
  admin,
  webhooks,
  mail,
  requests,
  outcomes,
  audit,
  signIn,
];
