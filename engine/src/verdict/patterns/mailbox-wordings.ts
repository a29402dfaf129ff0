// Single wordings for "there is no such mailbox", in English, that follow no common pattern: those that do are rows of
// mailbox.ts. Data, in no order: all are one row.
import { type Wording, words } from './wording.ts';

const MAILBOX = ['user', 'address', 'mail ?box', 'recipient', 'receiver', 'account'];
const MESSAGES = ['e-?mails?', 'mails?', 'messages?'];
const THIS = ['this', 'that', 'the'];

/** Names of errors, as programs write them. */
const ERROR_NAMES = [
  'recip(?:ient)?notfound',
  'usernotfound',
  'nosuchuser',
  'userunknown',
  'accountdisabled',
  'rcptnotfound',
  'mailboxnotfound',
  'badrecipient',
  'badrcptto',
  'validrcptto',
];

export const MAILBOX_WORDINGS: readonly Wording[] = [
  {
    match: words`${['user', 'account', 'person', 'recipient', 'receiver', 'NAME', 'MAIL']}[^.]{0,40}not listed in`,
    example: 'User anna (anna@example.com) not listed in Domino Directory',
    counterExample: 'Your host is not listed in our directory',
  },
  {
    match: ERROR_NAMES.join('|'),
    example: 'RESOLVER.ADR.RecipNotFound; not found',
    counterExample: 'RESOLVER.RST.NotAuthorized; not authorized',
  },
  {
    match: words`envelope recipient(?: address)?(?: ${['MAIL', 'NAME']})? ${['is ', 'was ', 'has been ']}?${['refused', 'rejected', 'denied']}[.! ]{0,3}$`,
    example: 'Envelope recipient refused',
    counterExample: 'Header To does not match envelope recipient',
  },
  {
    match: words`\b${['unknown', 'invalid', 'bad', 'illegal', 'wrong', 'incorrect', 'no such', 'non-?exist[ae]nt', 'undeliverable']} envelope recipient\b`,
    example: 'Unknown envelope recipient',
    counterExample: 'Bounces with multiple envelope recipients',
  },
  {
    match: words`not found ${['recipient', 'user', 'mailbox', 'account']}`,
    example: 'Not found recipient in the database',
    counterExample: 'Not found: route to that network',
  },
  {
    match: words`\bnot ${['in', 'on']} ${['the ', 'our ', 'my ', 'this ']}?(?:valid )?${['recipient', 'user', 'address', 'mail ?box']}s? ${['list', 'table', 'database', 'map']}\b`,
    example: 'anna@example.com is not in our recipient table',
    counterExample: 'Your domain is not in our sender table',
  },
  {
    match: words`\b${['no such', 'unknown', 'invalid', 'non-?exist[ae]nt']} ${['distribution', 'mailing']} ${['list', 'group']}\b`,
    example: 'No such mailing list here',
    counterExample: 'The mailing list has no such topic',
  },
  {
    match: words`\bno ${MESSAGES} ${['to', 'for']} system ${['accounts', 'users']}\b`,
    example: 'Sorry, no mail to system accounts',
    counterExample: 'Sorry, no mail from system accounts',
  },
  {
    match: words`\buser ?search\b`,
    example: 'UserSearch failed',
    counterExample: 'Research failed',
  },
  {
    match: words`mailbox by that name`,
    example: 'Sorry, there is no mailbox by that name',
    counterExample: 'Sorry, there is no gateway by that name',
  },
  {
    match: words`no one with that`,
    example: 'There is no one with that e-mail here',
    counterExample: 'There is no relay with that certificate here',
  },
  {
    match: words`not known to this`,
    example: 'That name is not known to this server',
    counterExample: 'That command is not implemented on this server',
  },
  {
    match: words`${['not found', 'unknown']} in ldap`,
    example: 'anna not found in LDAP',
    counterExample: 'Timeout in LDAP',
  },
  {
    match: words`${['not', 'unable to', "n't"]} find (?:\S{1,40} )?${['user', 'mailbox', 'alias']}`,
    example: 'Could not find matching alias',
    counterExample: 'Could not find your reverse name',
  },
  {
    match: words`mail for that user`,
    example: 'We take no mail for that user',
    counterExample: 'We take no mail for that protocol',
  },
  {
    match: words`no longer an employee`,
    example: 'Anna is no longer an employee',
    counterExample: 'This is no longer an open relay',
  },
  {
    match: words`${['no longer', 'not', "n't", 'cannot']} accept\w{0,3}(?: any)? ${MESSAGES} ${['for', 'to', 'at', 'on']} ${THIS} ${MAILBOX}\b`,
    example: 'We no longer accept mail for this mailbox',
    counterExample: 'We do not accept mail from this network',
  },
  {
    match: words`no ${MESSAGES} ${['is ', 'are ']}?accepted ${['for', 'at', 'by']} ${THIS} ${MAILBOX}\b`,
    example: 'No mail is accepted for this address',
    counterExample: 'No mail is accepted from this network',
  },
  {
    match: words`address ${['MAIL ', 'NAME ']}?(?:is )?not ${['handled', 'served', 'serviced', 'hosted', 'managed']}\b`,
    example: 'The address anna@example.com is not handled',
    counterExample: 'Your network is not served by this host',
  },
  {
    match: words`does not like recipient`,
    example: 'Remote host said: does not like recipient',
    counterExample: 'Remote host said: does not like sender',
  },
  {
    match: words`unavailable to take delivery`,
    example: 'Anna is unavailable to take delivery',
    counterExample: 'Disk unavailable, try again later',
  },
  {
    match: words`not have a ${['final ', 'valid ']}?(?:e-?mail )?delivery point`,
    example: 'Does not have a final email delivery point',
    counterExample: 'Does not have a valid certificate',
  },
  {
    match: words`mail ?box syntax incorrect`,
    example: 'Mailbox syntax incorrect',
    counterExample: 'Command syntax incorrect',
  },
  {
    match: words`not ${['one of', 'among']} our (?:\S{1,40} )?${['addresses', 'users', 'customers', 'mail ?boxes', 'recipients']}`,
    example: 'anna@example.com is not one of our users',
    counterExample: 'Your host is not one of our relays',
  },
  {
    match: words`no ${['redirect', 'forward\\w{0,12}', 'alias', 'delivery']} entry\b`,
    example: 'There is no forwarding entry',
    counterExample: 'There is no reverse entry',
  },
  {
    match: words`to an? ${['bogus', 'fictitious', 'non-?existent', 'forged']}(?: ${['and', 'or']} \w{1,20})? (?:e-?mail )?address`,
    example: 'You have sent to a bogus or misspelled email address',
    counterExample: 'You have sent from a forged address',
  },
];
