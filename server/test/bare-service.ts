// The service with no feature at all, as a process: `without-features.test.ts` starts it.
import { readConfig } from '../src/settings/config.ts';
import { serve } from '../src/start/main.ts';

process.exit(await serve(readConfig(process.env), { http: true, checks: true }, { features: [] }));
