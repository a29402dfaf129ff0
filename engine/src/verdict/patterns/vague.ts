// Refusals without a reason, or only with "policy": presumably about us. Read last; without these rows the code would
// decide, and a 550 here is not about the mailbox.
import type { ReplyRow } from '../reply-row.ts';

export const VAGUE_ROWS: readonly ReplyRow[] = [
  {
    match:
      /polic(?:y|ies)|prohibit|not (?:been )?(?:authori[sz]ed|permitted|allowed)|unauthori[sz]ed|administrative(?:ly)?|security|restrict/,
    means: 'blocked',
    clarity: 'vague',
    seen: '550 Administrative prohibition - envelope blocked',
  },
  {
    // Google, of a command it could not read; nothing is said of us.
    match: /violat/,
    means: 'blocked',
    deferred: 'temporary',
    clarity: 'vague',
    seen: '550 5.5.0 SMTP protocol violation, visit RFC 2821',
    composed: true,
  },
  {
    match:
      /access (?:is )?(?:denied|refused|forbidden|rejected)|\bblocked\b|\bbanned\b|\bforbidden\b|not welcome|delivery not|no access/,
    means: 'blocked',
    clarity: 'vague',
    seen: '550 5.7.1 <info@example.com>... Access denied',
  },
  {
    match: /[?&]ip=|[?&]c=(?:bl|bip|rdns|hc|rl)/,
    in: 'links',
    means: 'blocked',
    seen: '554 For explanation visit http://postmaster.example.com/en/error-messages?ip=203.0.113.9&c=bip',
  },
  {
    match: /your (?:isp|provider|internet service provider|server|access|connection)\b/,
    means: 'blocked',
    seen: '550 #5.7.1 Your access to submit messages to this e-mail system has been rejected.',
  },
];
