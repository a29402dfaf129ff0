// Refusals that carry the number or the mark under which a provider's page explains them. Read first: the words beside it
// are a sentence for many causes ("sender rejected", "server not available").
import type { ReplyRow } from '../reply-row.ts';

export const NUMBERED_ROWS: readonly ReplyRow[] = [
  {
    // Charter's numbers 1000 to 1080 and 1200 to 1250 are blocks, 1100 to 1150 ask for reverse DNS; Cox names its lists.
    match: /\baup#(?:in?-1(?:0[0-8]|1[0-5]|2[0-5])\d|(?:cx|cdr|r)?bl|pol|cxdns)\b/,
    means: 'blocked',
    seen: '421 mx.example.com server not available AUP#I-1010',
  },
  {
    // Charter numbers its refusals: 1300 to 1490, 1540 and 1580 are limits.
    match: /\baup#in?-1(?:[34]\d\d|5[48]0)\b/,
    means: 'rate_limited',
    seen: '421 4.2.0 mx.example.com cmsmtp try again later AUP#I-1430',
  },
];
