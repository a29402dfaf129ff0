import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseAddress } from './parse-address.ts';

const A63 = 'a'.repeat(63);
/** Three full labels with their dots are 192 octets; the fourth fills up. */
const longDomain = (octets: number): string => `${A63}.${A63}.${A63}.${'d'.repeat(octets - 192)}`;

const mailboxes: readonly (readonly [string, string])[] = [
  ['plain', 'first.last@example.org'],
  ['a plus sign and a tag', 'user+mailbox@example.org'],
  ['every atext sign', "!#$%&'*+-/=?^_`{|}~@example.org"],
  ['a slash and an equals sign', 'customer/department=shipping@example.org'],
  ['percent and bang, which are ordinary signs here', 'user%uucp!path@example.edu'],
  ['digits alone', '1234567890@example.org'],
  ['64 octets before @', `${'x'.repeat(64)}@example.org`],
  ['254 octets in all', `aa@${longDomain(251)}`],
  ['a label of 63 octets', `a@${A63}.example`],
  ['quotes with a blank', '"Fred Bloggs"@example.org'],
  ['quotes with @', '"Abc@def"@example.org'],
  ['quotes with an escaped quote', '"first\\"last"@example.org'],
  ['quotes with an escaped backslash', '"Joe.\\\\Blow"@example.org'],
  ['quotes with dots anywhere', '".a..b."@example.org'],
  ['quotes with brackets', '"<[(,;:)]>"@example.org'],
  ['empty quotes', '""@example.org'],
  ['a domain of one label: no mailbox takes mail there, but it is written like one', 'a@com'],
  ['an unknown top label: DNS decides', 'a@b.thisisnotone'],
  ['digits as the top label: DNS decides', 'a@example.123'],
  ['a name that looks like IPv4: a name, DNS decides', 'a@123.123.123.123'],
  ['a label that begins with a digit', 'a@3com.com'],
  ['two hyphens in a label', 'a@c--n.com'],
  ['a false A-label: DNS decides', 'a@xn--zzzzzz.com'],
  ['letters beyond ASCII before @', 'δοκιμή@example.org'],
  ['letters beyond ASCII in quotes', '"ü ü"@example.org'],
  ['right-to-left letters', 'אבג@example.org'],
  ['Cyrillic that looks like Latin: the server knows', 'аdmin@example.org'],
  ['characters not in NFC, as given', 'e\u0301@example.org'],
  ['an emoji with its selector', '❤\ufe0f@example.org'],
];

const refused: readonly (readonly [string, string])[] = [
  ['nothing', ''],
  ['no @', 'first.last'],
  ['nothing before @', '@example.org'],
  ['nothing after @', 'first.last@'],
  ['two @', 'abc@def@example.org'],
  ['a dot at the start', '.first@example.org'],
  ['a dot at the end', 'first.@example.org'],
  ['two dots', 'first..last@example.org'],
  ['a blank', 'hello world@example.org'],
  ['a blank in front', ' a@example.org'],
  ['a blank behind', 'a@example.org '],
  ['an escape outside quotes', 'first\\@last@example.org'],
  ['brackets', '[test]@example.org'],
  ['a name and angle brackets', 'Joe <joe@example.org>'],
  ['quotes that end too early', '"test"test"@example.org'],
  ['quotes not closed', '"test@example.org'],
  ['quotes closed by an escape', '"test\\"@example.org'],
  ['a quoted word beside a plain one (obsolete)', 'test."test"@example.org'],
  ['two quoted words (obsolete)', '"first"."last"@example.org'],
  ['a comment', 'pete(his account)@example.org'],
  ['a comment in the domain', 'a@(comment)example.org'],
  ['folding', '"test\r\n blah"@example.org'],
  ['CR LF and a command', 'a@example.org>\r\nDATA'],
  ['a line end behind', 'a@example.org\n'],
  ['NUL', 'a\u0000@example.org'],
  ['an escaped NUL', '"a\\\u0000"@example.org'],
  ['a tab in quotes', '"a\tb"@example.org'],
  ['DEL', 'a\u007f@example.org'],
  ['a source route', '@a.example,@b.example:c@d.example'],
  ['65 octets before @', `${'x'.repeat(65)}@example.org`],
  ['65 octets before @ in 33 letters', `${'é'.repeat(33)}@example.org`],
  ['255 octets in all', `aa@${longDomain(252)}`],
  ['a label of 64 octets', `a@${A63}a.example`],
  ['a trailing dot', 'a@example.org.'],
  ['a trailing ideographic dot', 'a@例え。'],
  ['a dot behind @', 'a@.example.org'],
  ['an empty label', 'a@example..org'],
  ['a hyphen that begins a label', 'a@-example.org'],
  ['a hyphen that ends a label', 'a@example-.org'],
  ['an underscore', 'a@b_c.org'],
  ['an underscore beside a letter beyond ASCII', 'a@é_c.org'],
  ['an address literal', 'a@[127.0.0.1]'],
  ['an IPv6 address literal', 'a@[IPv6:::1]'],
  ['percent-encoding', 'a@ex%61mple.org'],
  ['percent-encoding beside a letter beyond ASCII', 'a@ex%61mplé.org'],
  ['a line end beside a letter beyond ASCII', 'a@é\n.org'],
  ['half a surrogate pair before @', 'a\ud800@example.org'],
  ['half a surrogate pair after @', 'a@\udfffé.org'],
  ['a zero-width space', 'a\u200b@example.org'],
  ['a zero-width space in the domain', 'a@exa\u200bmple.org'],
  ['a soft hyphen in the domain', 'a@exa\u00admple.org'],
  ['a byte-order mark in front', '\ufeffa@example.org'],
  ['a bidi override', 'a\u202egro@example.org'],
  ['a bidi override in the domain', 'a@\u202eexample.org'],
  ['a no-break space', 'a\u00a0b@example.org'],
  ['a C1 control', 'a\u0085@example.org'],
  ['a Hangul filler, which is invisible', '\u3164@example.org'],
  ['a picture of a control character', '"a␍b"@example.org'],
  ['a replacement character', 'a\ufffd@example.org'],
  ['a full-width @ before the real one', 'a＠b@example.org'],
  ['a full-width @ alone', 'a＠example.org'],
  ['an ellipsis, which folds to dots', 'a…b@example.org'],
  ['1,001 characters', `${'a'.repeat(989)}@example.org`],
];

describe('a mailbox a mail server takes', () => {
  it.each(mailboxes)('%s', (_what, text) => {
    const parsed = parseAddress(text);
    expect(parsed).toMatchObject({ ok: true });
    if (parsed.ok) expect(parsed.address.local).toBe(text.slice(0, text.lastIndexOf('@')));
  });
});

describe('no mailbox', () => {
  it.each(refused)('%s', (_what, text) => {
    expect(parseAddress(text)).toMatchObject({ ok: false, why: expect.stringMatching(/./) });
  });
});

describe('what an Address holds', () => {
  it('keeps the local part as given and lower-cases the domain', () => {
    expect(parseAddress('First.Last@EXAMPLE.Org')).toEqual({
      ok: true,
      address: {
        local: 'First.Last',
        domain: 'example.org',
        mailbox: 'First.Last@example.org',
        needsSmtpUtf8: false,
      },
    });
  });

  it.each([
    ['a@bücher.example', 'xn--bcher-kva.example'],
    ['a@BÜCHER.example', 'xn--bcher-kva.example'],
    ['a@xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['a@XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['a@bu\u0308cher.example', 'xn--bcher-kva.example'],
    ['a@faß.example', 'xn--fa-hia.example'],
    ['a@例え。jp', 'xn--r8jz45g.jp'],
    ['a@ｅｘａｍｐｌｅ．ｏｒｇ', 'example.org'],
    ['a@０x7f.1', '0x7f.1'],
    ['a@i❤\ufe0f.ws', 'xn--i-7iq.ws'],
  ])('%s is the domain %s', (text, domain) => {
    expect(parseAddress(text)).toMatchObject({ ok: true, address: { domain, needsSmtpUtf8: false } });
  });

  it('asks for SMTPUTF8 when the local part is not ASCII, and only then', () => {
    expect(parseAddress('ü@example.org')).toMatchObject({ address: { needsSmtpUtf8: true } });
    expect(parseAddress('u@ü.example')).toMatchObject({ address: { needsSmtpUtf8: false } });
  });
});

const part = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom(...'aA0.-_"\\ @<>\r\n\u0000\u200bé例＠。%xn-') }),
  fc.constantFrom('"', '@', 'xn--', '.', 'example.org', '\ud800', '\udc00', '[1.2.3.4]'),
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(part, { maxLength: 6 }).map((parts) => parts.join('')),
  fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 })
    .map((codes) => String.fromCharCode(...codes)),
  fc.tuple(part, part).map(([local, domain]) => `${local}@${domain}`),
);

/** RFC 5321 written down a second time, as a pattern: what may stand on the wire between < and >. */
const WIRE =
  /^(?:[^\x00-\x20"(),.:;<>@[\\\]\x7f]+(?:\.[^\x00-\x20"(),.:;<>@[\\\]\x7f]+)*|"(?:[^\x00-\x1f"\\\x7f]|\\[ -~])*")@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/;

describe('for every text', () => {
  it('never throws, and lets nothing through that could end the RCPT command', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const parsed = parseAddress(text);
        if (!parsed.ok) return;
        const { mailbox, local, domain } = parsed.address;
        expect(mailbox).toBe(`${local}@${domain}`);
        expect(mailbox).toMatch(WIRE);
        expect(mailbox.isWellFormed()).toBe(true);
        expect(new TextEncoder().encode(mailbox).length).toBeLessThanOrEqual(254);
        expect(new TextEncoder().encode(local).length).toBeLessThanOrEqual(64);
      }),
      { numRuns: 5_000 },
    );
  });

  it('reading its own mailbox gives the same address again', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const once = parseAddress(text);
        if (once.ok) expect(parseAddress(once.address.mailbox)).toEqual(once);
      }),
      { numRuns: 5_000 },
    );
  });

  it('a domain written in A-labels and in U-labels is one domain', () => {
    const label = fc.string({
      unit: fc.constantFrom(...'abz09éüßñ例子дя中文ö'),
      minLength: 1,
      maxLength: 12,
    });
    fc.assert(
      fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), (labels) => {
        const given = parseAddress(`a@${labels.join('.')}`);
        if (!given.ok) return;
        const unicode = domainToUnicode(`${given.address.domain}.invalid`).slice(0, -'.invalid'.length);
        expect(parseAddress(`a@${unicode}`)).toEqual(given);
        expect(parseAddress(`a@${given.address.domain}`)).toEqual(given);
      }),
      { numRuns: 2_000 },
    );
  });
});
