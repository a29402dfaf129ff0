import fc from 'fast-check';
import { expect, test } from 'vitest';
import { mentioning, waysToWrite } from '../../test/mentioning.ts';
import { erasedText, withoutErased } from './erased-text.ts';

test('an address is found in a text however it is written, and never as a part of another', () => {
  const found = erasedText('jo.o@ex.com')!;
  expect(withoutErased('plain', 'JO.O@ex.com, <jo.o@EX.com>. mailto jo.o%40ex.com', found)).toBe(
    '[erased], <[erased]>. mailto [erased]',
  );
  const others = 'xjo.o@ex.com jo.o@ex.com.au jo.o@ex.community a+jo.o@ex.com joxo@ex.com';
  expect(withoutErased('plain', others, found)).toBe(others);
  expect(erasedText('no address')).toBeNull();
  const cut = 'jo@ex.com and jö@exä.com';
  for (const email of ['jo@ex.com/x', 'jo@ex.com?ä', 'jö@exä.com#', 'jo@ex.com\\'])
    expect(withoutErased('plain', cut, erasedText(email)!)).toBe(cut);
});

test('what is left and [erased] do not make up the address again', () => {
  const found = erasedText('[erased]@y.example')!;
  expect(withoutErased('plain', 'of [erased]@y.example@y.example@y.example', found)).toBe('of [erased]');
});

test('JSON keeps every byte but those of strings that have the address', () => {
  const json = '{ "a" : [1.0, 1e400, "\\u0061nna@ex.com", "an\\/na"], "__proto__": {"of Anna@ex.com":true} }';
  expect(withoutErased('json', json, erasedText('anna@ex.com')!)).toBe(
    '{ "a" : [1.0, 1e400, "[erased]", "an\\/na"], "__proto__": {"of [erased]":true} }',
  );
  const name = '"x@y.example"';
  for (const email of ['"x@y.example', 'x@y.example"', '"x@y.example"'])
    expect(withoutErased('json', name, erasedText(email)!)).toBe(name);
  // It cannot be read, so that nothing could be kept of it.
  expect(withoutErased('json', '"of anna@ex.com', erasedText('anna@ex.com')!)).toBe('"[erased]"');
});

test('a URL leads where it led without the address, or nowhere', () => {
  const found = erasedText('anna+x@exämple.com')!;
  const gone = (url: string) => withoutErased('url', url, found);
  expect(
    gone('https://h.example:8443/a%20anna%2Bx@ex%C3%A4mple.com?q=%61NNA+x%40xn--exmple-cua.com&n=1'),
  ).toBe('https://h.example:8443/a%20%5Berased%5D?q=%5Berased%5D&n=1');
  expect(gone('https://anna+x@xn--exmple-cua.com/hook')).toBe('https://erased.invalid/');
  expect(gone('no url of anna+x@exämple.com')).toBe('https://erased.invalid/');
  for (const other of ['https://h.example/?q=joanna%2Bx%40ex%C3%A4mple.com', 'https://h.example/%ff%zz?@'])
    expect(gone(other)).toBe(other);
});

const CONTINUES_LEFT = /[a-z0-9._+-]$/i;
const CONTINUES_RIGHT = /^(?:[a-z0-9-]|\.[a-z0-9])/i;
const lower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Looked for character by character, and not as what is tested does it. */
function has(text: string, email: string): boolean {
  const characters = [...lower(text)];
  return waysToWrite(email).some((way) => {
    const wanted = [...lower(way)];
    return characters.some(
      (_, at) =>
        wanted.every((each, index) => characters[at + index] === each) &&
        !CONTINUES_LEFT.test(characters.slice(0, at).join('')) &&
        !CONTINUES_RIGHT.test(characters.slice(at + wanted.length).join('')),
    );
  });
}

function stringsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return [...Object.keys(value), ...Object.values(value)].flatMap(stringsOf);
}

test('whatever a text and an address are made of, none of it is left, and what did not have it is as it was', () => {
  fc.assert(
    fc.property(mentioning(), ({ email, pieces }) => {
      const text = pieces.join('');
      const left = withoutErased('plain', text, erasedText(email)!);
      expect(has(left, email)).toBe(false);
      if (!has(text, email)) expect(left).toBe(text);
    }),
    { numRuns: 1_000 },
  );
});

test('whatever JSON and an address are made of, it stays JSON of the same shape, without the address', () => {
  fc.assert(
    fc.property(mentioning(), fc.jsonValue(), ({ email, pieces }, value) => {
      const erased = erasedText(email)!;
      const text = pieces.join('');
      const json = JSON.stringify({ [`k ${pieces[0]}`]: 1, list: [value, text], of: { text } });
      const left = withoutErased('json', json, erased);
      const decoded = JSON.parse(left);
      expect(stringsOf(decoded).filter((each) => has(each, email))).toEqual([]);
      const plain = withoutErased('plain', text, erased);
      expect(decoded.of).toEqual({ text: plain });
      expect(decoded.list[1]).toBe(plain);
      if (!stringsOf(JSON.parse(json)).some((each) => has(each, email))) expect(left).toBe(json);
    }),
    { numRuns: 1_000 },
  );
});

test('whatever a URL and an address are made of, and however it is escaped, only the address goes', () => {
  fc.assert(
    fc.property(mentioning(), fc.infiniteStream(fc.boolean()), ({ email }, isEscaped) => {
      fc.pre(email.isWellFormed());
      const written = [...email]
        .map((each) => (isEscaped.next().value || /[^\w.~@-]/.test(each) ? escapeAll(each) : each))
        .join('');
      const url = `https://h.example/~q~${written}~q~?q=~q~${written}~q~`;
      expect(withoutErased('url', url, erasedText(email)!)).toBe(
        'https://h.example/~q~%5Berased%5D~q~?q=~q~%5Berased%5D~q~',
      );
    }),
    { numRuns: 1_000 },
  );
  fc.assert(
    fc.property(mentioning(), ({ email, pieces }) => {
      const url = new URL(`https://h.example/${pieces.join('')}`).href;
      const left = new URL(withoutErased('url', url, erasedText(email)!));
      expect(left.protocol).toBe('https:');
      expect(has(left.href, email)).toBe(false);
    }),
    { numRuns: 1_000 },
  );
});

function escapeAll(character: string): string {
  return Buffer.from(character).toString('hex').replaceAll(/../g, '%$&');
}
