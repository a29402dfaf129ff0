// The console in Chromium against the real service: what is dropped, and what comes back.
import { bounceRisk } from './suites/bounce-risk.ts';
import { elsewhere } from './suites/elsewhere.ts';
import { fileElsewhere } from './suites/file-elsewhere.ts';
import { largeList } from './suites/large-list.ts';
import { messyFile } from './suites/messy-file.ts';
import { misspelt } from './suites/misspelt.ts';
import { ownFile } from './suites/own-file.ts';
import { severalLists } from './suites/several-lists.ts';
import { suppressed } from './suites/suppressed.ts';
import { workbook } from './suites/workbook.ts';
import { withRig } from './with-rig.ts';

withRig({
  'one’s own file': ownFile,
  'a messy file': messyFile,
  'one’s own workbook': workbook,
  'a file that is not in the browser': fileElsewhere,
  'several lists of one file': severalLists,
  'another browser': elsewhere,
  'misspelt domains': misspelt,
  'the risk of bouncing': bounceRisk,
  'suppressed addresses': suppressed,
  'a large list': largeList,
});
