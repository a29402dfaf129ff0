// The service under measurement in a process of its own: HTTP on the embedded store, nothing checked.
import { readConfig } from '../../server/src/settings/config.ts';
import { serve } from '../../server/src/start/main.ts';

process.exit(await serve(readConfig(process.env), { http: true, checks: false }));
