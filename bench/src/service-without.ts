// The service under measurement in a process of its own, without the feature that BENCH_WITHOUT names; empty: with all.
import { FEATURES } from '../../server/src/features/features.ts';
import { readConfig } from '../../server/src/settings/config.ts';
import { serve } from '../../server/src/start/main.ts';

const features = FEATURES.filter(({ name }) => name !== process.env.BENCH_WITHOUT);
process.exit(await serve(readConfig(process.env), { http: true, checks: true }, { features }));
