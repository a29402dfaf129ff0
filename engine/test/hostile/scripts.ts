// What hostile hosts do, as data: each row a name and a script. Promise: rows of SAYS_NOTHING leave nothing that could
// be believed about any mailbox; rows of ANSWERS are answered rightly all the same; rows of ODD may be believed or not,
// but never misread.
import {
  type Act,
  type Connection,
  halfClose,
  hangUp,
  reset,
  type Script,
  secured,
  silence,
} from './hostile-host.ts';

const OFFERS = '250-x.example\r\n250-PIPELINING\r\n250 8BITMIME\r\n';
const NO_PIPELINING = '250-x.example\r\n250 8BITMIME\r\n';
const OFFERS_TLS = '250-x.example\r\n250-STARTTLS\r\n250 PIPELINING\r\n';
const FLOOD = Buffer.alloc(64 * 1024, '2');
const FLOOD_LINES = Buffer.from('250-more and more and more\r\n'.repeat(2000));
const STAGES = ['banner', 'ehlo', 'mail', 'rcpt'] as const;

const drip =
  (text: string): Act =>
  (line) => {
    let at = 0;
    const next = (): void => {
      if (at >= text.length) return;
      line.write(text.charAt(at));
      at += 1;
      line.later(150, next);
    };
    next();
  };

/** Says something of its own, and goes on. */
const says =
  (text: string, next: (line: Connection) => void): Act =>
  (line) => {
    line.write(text);
    next(line);
  };

/** Gives the honest answer, and goes on. */
const answersThen =
  (next: (line: Connection) => void): Act =>
  (line, command) => {
    line.honest(command);
    next(line);
  };

const both = (extra: string): Act => answersThen((line) => line.write(extra));

const lateHonest: Act = (line, command) => {
  line.honest(command);
  line.later(2, () => line.honest(command));
};

/** An extra reply in a packet of its own, between two commands of a one-by-one dialogue. */
const lateExtra = (extra: string): Act => answersThen((line) => line.later(20, () => line.write(extra)));

const atEach = (what: string, act: Act): [string, Script][] =>
  // Who does not take EHLO is greeted with HELO.
  STAGES.map((stage) => [
    `${what} at ${stage}`,
    { [stage]: act, ...(stage === 'ehlo' ? { helo: act } : {}) },
  ]);

const BAD_REPLIES: Readonly<Record<string, string | Buffer>> = {
  'a code with a letter': '2x0 ok\r\n',
  'a code of five digits': '99999 ok\r\n',
  'a code of two digits': '25 ok\r\n',
  'a code below 200': '150 wait\r\n',
  'code 000': '000 ok\r\n',
  'code 999': '999 ok\r\n',
  'a code with a sign': '-250 ok\r\n',
  'digits of another script': '\u0662\u0665\u0660 ok\r\n',
  'two replies with a lone CR between them': '250 ok\r550 no\r\n',
  'a code of the 600s': '650 ok\r\n',
  'no blank behind the code': '250ok\r\n',
  'an underscore behind the code': '250_ok\r\n',
  'a blank in front': ' 250 ok\r\n',
  'bare CR only': '250 ok\r',
  'an empty line': '\r\n',
  'NUL bytes': Buffer.from([0, 0, 0, 50, 53, 48, 32, 13, 10]),
  'binary garbage': Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x0d, 0x0a, 0xff, 0xfe, 0x0a]),
  HTTP: 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n',
  'a reply that turns from 250 to 550': '250-accepted\r\n550 no such user\r\n',
  'a reply that turns from 550 to 250': '550-no such user\r\n250 accepted\r\n',
  'a line of 70,000 bytes': `250 ${'x'.repeat(70_000)}\r\n`,
  'a reply of 10,000 lines': `${'250-x\r\n'.repeat(10_000)}250 ok\r\n`,
  '354, as if to DATA': '354 go ahead\r\n',
  '221, as if to QUIT': '221 bye\r\n',
  '334, as if to AUTH': '334 go ahead\r\n',
  '220, as if to the connection': '220 hello\r\n',
};

/** Clients that meet these at the banner, or are asked nothing further, cannot tell them from an honest host. */
const NOT_AT_BANNER = /^(a reply that turns|354|334|22[01])/;

export const SAYS_NOTHING: readonly (readonly [string, Script])[] = [
  ...atEach('silence', silence),
  ...atEach('a reset', reset),
  ...atEach('a hang-up', hangUp),
  ...atEach('a half-close', halfClose),
  ...atEach('a flood without an end of line', (line) => line.forever(0, FLOOD)),
  ...atEach('a reply without an end', (line) => line.forever(0, FLOOD_LINES)),
  ...atEach('a line every now and then', (line) => line.forever(100, '250-wait\r\n')),
  ...atEach('a byte every now and then', drip(`250 ${'.'.repeat(500)}`)),
  ...atEach('421', '421 4.3.2 Closing\r\n'),
  ...Object.entries(BAD_REPLIES).flatMap(([what, bytes]) => [
    ...(NOT_AT_BANNER.test(what) ? [] : [[`${what} at banner`, { banner: bytes }] as const]),
    [`${what} at EHLO and HELO`, { ehlo: bytes, helo: bytes }] as const,
    [`${what} at mail`, { mail: bytes }] as const,
    [`${what} at rcpt`, { rcpt: bytes }] as const,
    [`${what} at rcpt, one by one`, { ehlo: NO_PIPELINING, rcpt: bytes }] as const,
  ]),
  ['5xx to everything', { banner: '554 no\r\n', ehlo: '550 no\r\n', mail: '550 no\r\n', rcpt: '550 no\r\n' }],
  ['550 No such user here to MAIL', { mail: '550 5.1.1 No such user here\r\n' }],
  [
    '550 No such user here to EHLO and HELO',
    { ehlo: '550 5.1.1 No such user\r\n', helo: '550 5.1.1 No such user\r\n' },
  ],
  ['550 No such user here as its banner', { banner: '550 5.1.1 No such user here\r\n' }],
  ['4xx to everything', { banner: '450 not now\r\n' }],
  ['EHLO with 10,000 extensions', { ehlo: `${'250-XEXTENSION\r\n'.repeat(10_000)}250 SIZE\r\n` }],
  ['MAIL accepted, then a hang-up', { mail: says('250 ok\r\n', (line) => line.socket.end()) }],
  ['STARTTLS, then silence', { ehlo: OFFERS_TLS, starttls: '220 go\r\n', mail: silence }],
  [
    'STARTTLS, then garbage, and nothing in clear',
    {
      ehlo: OFFERS_TLS,
      starttls: says('220 go\r\n', (line) => line.later(20, () => line.write(FLOOD))),
      mail: '530 5.7.0 Must issue a STARTTLS command first\r\n',
    },
  ],
  [
    'STARTTLS with replies injected behind it',
    {
      ehlo: OFFERS_TLS,
      starttls: '220 go\r\n250-x.example\r\n250 PIPELINING\r\n250 ok\r\n250 ok\r\n250 ok\r\n',
      mail: '530 5.7.0 Must issue a STARTTLS command first\r\n',
    },
  ],
  ['450 5.1.1 User unknown to every recipient', { rcpt: '450 5.1.1 User unknown\r\n' }],
  ['550 with the status of a success', { rcpt: '550 2.1.5 Ok\r\n' }],
  ['a whole dialogue at once', { banner: `220 x\r\n${OFFERS}250 ok\r\n250 ok\r\n221 bye\r\n` }],
  [
    'yes and no in one reply, in two packets',
    { rcpt: says('250-ok\r\n', (line) => line.later(5, () => line.write('550 5.1.1 no\r\n'))) },
  ],
  ['a second reply behind each MAIL', { mail: both('250 accepted\r\n') }],
  ['a second reply behind each RCPT', { rcpt: both('250 accepted\r\n') }],
  ['a second reply behind EHLO', { ehlo: `${OFFERS}250 accepted\r\n` }],
  ['a second reply behind the banner', { banner: '220 x.example\r\n250 accepted\r\n' }],
];

const AT_TLS: Readonly<Record<string, Act>> = {
  silence,
  'a reset': reset,
  'a hang-up': hangUp,
  '421': says('421 4.7.0 No more\r\n', (line) => line.socket.end()),
  '454': '454 4.7.0 TLS not available\r\n',
  '550 No such user': '550 5.1.1 No such user\r\n',
  'a flood': (line) => line.forever(0, FLOOD),
  'a handshake that is honest': secured(),
  'a handshake of TLS 1.0': secured(
    {},
    { minVersion: 'TLSv1', maxVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' },
  ),
  'a handshake, then a second banner': secured({}, {}, '220 hello again\r\n'),
  'a handshake, then silence': secured({ ehlo: silence }),
  'a handshake, then a hang-up': secured({ ehlo: hangUp }),
  'a handshake, then STARTTLS once more': secured({ ehlo: OFFERS_TLS }),
  'a handshake a byte now and then': says('220 go\r\n', (line) => line.forever(100, Buffer.from([0x16]))),
  'an alert instead of a handshake': says('220 go\r\n', (line) =>
    line.write(Buffer.from([0x15, 3, 3, 0, 2, 2, 40])),
  ),
};

const ODD_KEYWORDS = [
  'pipelining',
  'PIPELINING 1',
  'LIMITS RCPTMAX=0',
  'LIMITS RCPTMAX=99999999999',
  'STARTTLS=NO',
  'X'.repeat(8000),
  'XCLIENT NAME ADDR',
  '\u001b[31m\u0000',
];

/** Accepts one recipient twice, hangs up on every other, and then is never there again. */
function goneAfterTwo(): Script {
  let accepted = 0;
  return {
    ehlo: NO_PIPELINING,
    banner: (line) => (accepted >= 2 ? line.socket.resetAndDestroy() : line.write('220 x.example\r\n')),
    rcpt: (line, command) => {
      if (!/anna/.test(command)) return void line.socket.destroy();
      accepted += 1;
      line.honest(command);
    },
  };
}

/** Each second command of a kind is never answered. */
const everySecond: Act = (line, command) => void (line.commands % 2 === 1 && line.honest(command));

/** STARTTLS that goes wrong is left out: these are asked in clear, and answer. */
export const ANSWERS: readonly (readonly [string, Script])[] = [
  ...Object.entries(AT_TLS).map(
    ([what, starttls]) => [`${what} at STARTTLS`, { ehlo: OFFERS_TLS, starttls }] as const,
  ),
  ...ODD_KEYWORDS.map(
    (word) => [`EHLO offers ${word.slice(0, 30)}`, { ehlo: `250-x\r\n250-${word}\r\n250 HELP\r\n` }] as const,
  ),
  ['EHLO with 99 extensions', { ehlo: `${'250-X\r\n'.repeat(99)}250 PIPELINING\r\n` }],
  ['EHLO hung up on, HELO accepted', { ehlo: hangUp }],
  ['EHLO not known, HELO accepted', { ehlo: '502 5.5.1 What?\r\n' }],
  ['silence at QUIT', { quit: silence }],
  ['250 to QUIT', { quit: says('250 Bye\r\n', (line) => line.socket.end()) }],
  ['a reset at QUIT', { quit: reset }],
];

/** What these say may be believed or not; but `nobody` must not be called deliverable, nor `anna` undeliverable. */
export const ODD: readonly (readonly [string, Script])[] = [
  [
    'a second reply behind EHLO, later',
    { ehlo: says(OFFERS, (line) => line.later(1, () => line.write('250 accepted\r\n'))) },
  ],
  [
    'a second reply behind EHLO, later, one by one',
    { ehlo: says(NO_PIPELINING, (line) => line.later(1, () => line.write('250 accepted\r\n'))) },
  ],
  ['a second reply behind MAIL, one by one', { ehlo: NO_PIPELINING, mail: both('250 accepted\r\n') }],
  [
    'a second reply behind MAIL, one by one, later',
    { ehlo: NO_PIPELINING, mail: lateExtra('250 accepted\r\n') },
  ],
  [
    'bare LF',
    { rcpt: (line, command) => line.write(/anna/.test(command) ? '250 Ok\n' : '550 5.1.1 User unknown\n') },
  ],
  [
    'goodbye right behind the answer',
    {
      rcpt: answersThen((line) => line.socket.end('421 4.3.2 Closing\r\n')),
    },
  ],
  [
    'a reply to RCPT lost now and then',
    { rcpt: (line, command) => void (line.commands % 3 !== 0 && line.honest(command)) },
  ],
  ...(['mail', 'rcpt', 'rset', 'quit'] as const).flatMap((stage) => [
    [`every second ${stage} not answered`, { [stage]: everySecond }] as const,
    [
      `every second ${stage} not answered, one by one`,
      { ehlo: NO_PIPELINING, [stage]: everySecond },
    ] as const,
  ]),
  ...(['mail', 'rcpt', 'rset'] as const).map(
    (stage) => [`a second reply behind each ${stage}, later`, { [stage]: lateHonest }] as const,
  ),
  [
    'TLS, and inside it EHLO answered before it is asked',
    { ehlo: OFFERS_TLS, starttls: secured({}, {}, OFFERS) },
  ],
  [
    'TLS, and inside it EHLO answered before it is asked, one by one',
    { ehlo: OFFERS_TLS, starttls: secured({ ehlo: NO_PIPELINING }, {}, NO_PIPELINING) },
  ],
  ['there for one recipient, and gone', goneAfterTwo()],
  [
    'a second banner, later',
    { banner: says('220 x\r\n', (line) => line.later(5, () => line.write('220 x\r\n'))) },
  ],
  [
    'NUL and CR in the text of a reply',
    {
      rcpt: (line, command) =>
        line.write(/anna/.test(command) ? '250 O\0k\r!\r\n' : '550 5.1.1 User\0 un\rknown\r\n'),
    },
  ],
  [
    'a reset right behind the first answer',
    { rcpt: answersThen((line) => line.later(1, () => line.socket.resetAndDestroy())) },
  ],
  [
    'replies to a flight in the wrong order',
    {
      rcpt: (line, command) => {
        const known = /anna/.test(command);
        line.later(known ? 20 : 1, () => line.honest(command));
      },
    },
  ],
];
