// Hands for the operator: /admin/v1, its document, and the sign-in of the operator's pages.
import type { Feature } from '../feature.ts';
import { sweepOperatorSignIns } from '../operator/stored-sign-ins.ts';
import { adminApi } from './admin-api.ts';
import { sweepAnswers } from './stored-answers.ts';

export const admin: Feature = {
  name: 'admin',
  sweeps: [sweepOperatorSignIns, sweepAnswers],
  pages: adminApi,
};
