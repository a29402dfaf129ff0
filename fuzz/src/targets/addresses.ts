// What people type before and behind an @: text → a mailbox that can go on the wire, or why it is none.
// An input is how its bytes are to be read (UTF-8, Latin-1, UTF-16 with its halves), then the text.
import { isDeepStrictEqual } from 'node:util';
import { asciiDomain } from '../../../engine/src/address/ascii-domain.ts';
import { parseAddress } from '../../../engine/src/address/parse-address.ts';
import { cleanEmail } from '../../../server/src/rules/clean-emails.ts';
import type { Random } from '../../../world/src/random.ts';
import { promised, type Target, words } from '../target.ts';
import { textOf } from '../text-of.ts';

const MAILBOX_MAX_BYTES = 254;
const LOCAL_MAX_BYTES = 64;
const INPUT_MAX_BYTES = 1_200;

const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const LABEL = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
/** RFC 5321's Mailbox in ASCII, written a second time; lengths apart. */
const ASCII_MAILBOX = new RegExp(
  `^(?:${ATOM}(?:\\.${ATOM})*|"(?:[ !#-[\\]-~]|\\\\[ -~])*")@${LABEL}(?:\\.${LABEL})*$`,
);

function check(input: Buffer): void {
  const text = textOf(input);
  const parsed = parseAddress(text);
  if (/^[\x00-\x7f]*$/.test(text)) checkAscii(text, parsed.ok);
  const clean = cleanEmail(text);
  promised(cleanEmail(clean) === clean, 'cleaning twice changes nothing', text);
  if (!parsed.ok) {
    promised(/^[ -~]{5,80}$/.test(parsed.why) && !parsed.why.endsWith('.'), 'a refusal says why', parsed.why);
    return;
  }
  const { local, domain, mailbox, needsSmtpUtf8 } = parsed.address;
  promised(mailbox === `${local}@${domain}`, 'a mailbox is its parts', mailbox);
  promised(
    !/[\x00-\x1f\x7f-\x9f\u2028\u2029]/.test(mailbox),
    'no control character goes on the wire',
    mailbox,
  );
  promised(mailbox.isWellFormed(), 'a mailbox is text', mailbox);
  // Outside quotes nothing may end the command, or begin a parameter of it.
  if (!local.startsWith('"')) promised(!/[\s<>()[\]:;,\\"]/.test(mailbox), 'a mailbox is one word', mailbox);
  promised(!/[<>\s]/.test(domain), 'a domain is one word', domain);
  promised(Buffer.byteLength(mailbox) <= MAILBOX_MAX_BYTES, 'a mailbox has at most 254 octets', mailbox);
  promised(Buffer.byteLength(local) <= LOCAL_MAX_BYTES, 'a local part has at most 64 octets', local);
  promised(needsSmtpUtf8 === /[^\x00-\x7f]/.test(local), 'SMTPUTF8 is asked for where it is needed', mailbox);
  promised(/^[a-z0-9.-]+$/.test(domain), 'a domain is ASCII in lower case', domain);
  const again = asciiDomain(domain);
  promised(again.ok && again.domain === domain, 'a domain read again is the same', domain);
  promised(isDeepStrictEqual(parseAddress(mailbox), parsed), 'a mailbox read again is the same', mailbox);
}

function checkAscii(text: string, isTaken: boolean): void {
  // Lengths are said in octets, which are characters here; the last @ is the one before the domain.
  const at = text.lastIndexOf('@');
  const fits = text.length <= MAILBOX_MAX_BYTES && at <= LOCAL_MAX_BYTES;
  promised(isTaken === (fits && ASCII_MAILBOX.test(text)), 'two grammars take the same ASCII', {
    text,
    isTaken,
  });
}

const LOCALS = [
  'anna',
  'a.b',
  'a+b',
  '"a b"',
  '"a\\"b"',
  '"a@b"',
  'ünï',
  '用户',
  'a..b',
  '.a',
  '',
  '"',
  'x'.repeat(64),
  'A!#$%',
];
const DOMAINS = [
  'a.example',
  'BÜCHER.example',
  'xn--bcher-kva.example',
  'faß.de',
  '例え.jp',
  '[192.0.2.1]',
  '1.2.3.4',
  'a',
  '-a.b',
  'a-.b',
];
const MORE_DOMAINS = [
  'a..b',
  'a.',
  '',
  `${'x'.repeat(63)}.c`,
  `${'x'.repeat(64)}.c`,
  'a\u00adb.c',
  'ａ.example',
  'a。b',
  '\u200d.c',
  'xn--a',
];

function make(random: Random): Buffer {
  const domain = random.pick([...DOMAINS, ...MORE_DOMAINS]);
  const long = random.chance(0.1)
    ? `${'y'.repeat(random.between(55, 66))}.`.repeat(random.between(1, 4))
    : '';
  const text = `${random.pick(LOCALS)}${random.chance(0.95) ? '@' : random.pick(['', '@@', '＠'])}${long}${domain}`;
  const how = random.between(0, 2);
  return Buffer.concat([Buffer.from([how]), how === 2 ? Buffer.from(text, 'utf16le') : Buffer.from(text)]);
}

function* seeds(): Generator<Buffer> {
  for (const local of LOCALS)
    for (const domain of [...DOMAINS, ...MORE_DOMAINS])
      yield Buffer.concat([Buffer.from([0]), Buffer.from(`${local}@${domain}`)]);
}

export const addresses: Target = {
  name: 'addresses',
  inputs: 170_000,
  cpuSecondsMax: 100,
  inputMaxBytes: INPUT_MAX_BYTES,
  seeds,
  dictionary: words(
    ...[
      '@',
      '.',
      '"',
      '\\',
      '\r\n',
      '\0',
      '\n',
      '\r',
      ' ',
      '\t',
      '-',
      '<',
      '>',
      '(',
      ')',
      '[',
      ']',
      ':',
      ';',
      ',',
      'xn--',
    ],
    ...[
      '\u00ad',
      '\u200b',
      '\u200d',
      '\u202e',
      '\ufeff',
      '\ufe0f',
      '\uff20',
      '\uff0e',
      '\u3002',
      'ß',
      'ς',
      'İ',
      '\u2488',
    ],
    ...[
      '\u2028',
      '\u0085',
      '\u0301',
      '😀',
      '%40',
      '\x7f',
      'xn--bcher-kva',
      '\u1e9e',
      '\u0130',
      '\ufffd',
      '\u037e',
      '℀',
    ],
  ),
  make,
  check,
};
