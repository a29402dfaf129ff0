// The console in Chromium against the real service: how it looks, on screens and on paper.
import { everyPage } from './suites/every-page.ts';
import { report } from './suites/report.ts';
import { withRig } from './with-rig.ts';

withRig({ looks: everyPage, 'the report': report });
