// A temporary problem of the server: something is broken or closed right now. Read after the mailbox rows, which are more specific.
import type { ReplyRow } from '../reply-row.ts';

export const TEMPORARY_ROWS: readonly ReplyRow[] = [
  {
    match:
      /(?:try|retry|come back|resend|attempt)(?<!\b(?:check|verify|correct|confirm)\b[^.]{0,60} and \w{3,7})(?: it| again| your message| the message| to send){0,8} (?:later|again|after|in\b)|later\b|essayer plus tard|reessayer|spater (?:erneut|noch)|mas tarde|mais tarde|piu tardi|попробуйте|позже|позднее|しばらく|後ほど|稍后|稍後/,
    means: 'temporary',
    seen: '421 4.2.0 Service refuse. Veuillez essayer plus tard. Service refused, please try later. OFR005_505 [505]',
  },
  {
    match:
      /temporar|tempor[ae]|(?:system|internal|server|local|database|lookup|configuration|mailer|software|processing|backend|ldap|directory|dns|name service|resolver)(?: system| mailer)? ?(?:error|problem|failure|fault)|error in processing|(?:could not|cannot|unable to|can't) (?:load|connect|contact|lookup|verify|check|complete|determine|open|process)/,
    means: 'temporary',
    seen: '451 4.3.0 Error: queue file write error; Internal system error',
  },
  {
    match:
      /(?:service|system|server|host|smtp|esmtp)(?: is| currently| temporarily){0,8} (?:not available|unavailable|not accepting|shutting down|down|closed|refused|not ready)|not accepting network|closing (?:transmission|connection)|no smtp service|maintenance/,
    means: 'temporary',
    seen: '421 4.3.2 Service not available, closing transmission channel',
  },
  {
    match:
      /tim(?:ed?|ing) ?-?out|lost connection|connection (?:timed|reset|closed|lost|dropped)|delivery (?:time )?expired|queue\.expired|message expired|did not accept our requests? to connect|could not be delivered for|dns error|nxdomain|name server|no relevant answers|in the queue too long/,
    means: 'temporary',
    seen: '421 4.4.2 mx.example.com Error: timeout exceeded',
  },
];
