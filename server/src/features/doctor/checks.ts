// The table of the doctor's checks, in the order of the report (doctor-check-ids.ts).
import { backupCheck } from './backup-check.ts';
import { clockCheck } from './clock-check.ts';
import { configCheck } from './config-check.ts';
import { descriptorsCheck } from './descriptors-check.ts';
import { diskCheck } from './disk-check.ts';
import { DNS_CHECKS } from './dns-checks.ts';
import type { DoctorCheck } from './doctor-check.ts';
import { memoryCheck } from './memory-check.ts';
import { migrationsCheck } from './migrations-check.ts';
import { policyCheck } from './policy-check.ts';
import { postgresCheck } from './postgres-check.ts';
import { secretKeyCheck } from './secret-key-check.ts';
import { SOURCE_CHECKS } from './source-checks.ts';
import { tlsCheck } from './tls-check.ts';
import { TOLD_CHECKS } from './told-checks.ts';

export const CHECKS: readonly DoctorCheck[] = [
  configCheck,
  policyCheck,
  tlsCheck,
  diskCheck,
  memoryCheck,
  descriptorsCheck,
  clockCheck,

  postgresCheck,
  migrationsCheck,
  secretKeyCheck,
  backupCheck,
  ...TOLD_CHECKS,

  ...DNS_CHECKS,
  ...SOURCE_CHECKS,
];
