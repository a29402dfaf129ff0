// What the operator says of disposable domains.
import { expect, test } from 'vitest';
import { expectLinear } from '../../test/doubling.ts';
import { inspectAddress } from '../check/inspect-address.ts';
import { unansweredVerdict } from '../check/unanswered.ts';
import { disposableFinding } from './disposable.ts';
import { DisposableOverrides } from './disposable-overrides.ts';
import { MAX_OVERRIDE_LINES, OverridesFault, OverridesReader } from './read-overrides.ts';

function read(...pieces: string[]) {
  const reader = new OverridesReader();
  for (const piece of pieces) reader.push(piece);
  return reader.end();
}

function overridesOf(text: string): DisposableOverrides {
  const overrides = new DisposableOverrides();
  overrides.replace(read(text));
  return overrides;
}

test('a file is read line by line, in pieces of any size', () => {
  const text =
    '\uFEFF# ours\r\nThrow-Away.example\n\n  !mailinator.com # a customer\nallow Bücher.example\nlast.example';
  const whole = read(text);
  expect([...whole.denied]).toEqual(['throw-away.example', 'last.example']);
  expect([...whole.allowed]).toEqual(['mailinator.com', 'xn--bcher-kva.example']);
  expect(read(...text)).toEqual(whole);
  expect(read('')).toEqual({ denied: new Set(), allowed: new Set() });
});

test.each([
  ['ok.example\nnot a domain\n', 2],
  ['ok.example\n\n*.example.com', 3],
  ['someone@example.com', 1],
  ['localhost', 1],
  ['!', 1],
  ['<html>\n', 1],
  [`ok.example\n${'a'.repeat(2_000)}`, 2],
  [`${'a.example\n'.repeat(MAX_OVERRIDE_LINES)}b.example`, MAX_OVERRIDE_LINES + 1],
])('what is not an entry is a fault of its line (%#)', (text, line) => {
  try {
    read(text);
    expect.unreachable();
  } catch (error) {
    expect(error).toBeInstanceOf(OverridesFault);
    expect((error as OverridesFault).line).toBe(line);
    expect((error as Error).message).not.toContain('example');
  }
});

test('an entry holds for the names under it, and the nearest one decides', () => {
  const overrides = overridesOf(
    'throwaway.example.com\n!office.throwaway.example.com\nboth.com\n!both.com\n!mailinator.com\nza.com',
  );
  const isDisposable = (domain: string) => disposableFinding(domain, null, overrides).disposable;
  expect(isDisposable('throwaway.example.com')).toBe(true);
  expect(isDisposable('a.b.throwaway.example.com')).toBe(true);
  expect(isDisposable('example.com')).toBe(false);
  expect(isDisposable('x.office.throwaway.example.com')).toBe(false);
  expect(isDisposable('both.com')).toBe(false);
  expect(isDisposable('x.mailinator.com')).toBe(false);
  expect(isDisposable('yopmail.com')).toBe(true);
  // As with the lists: a registry says nothing about who registered under it.
  expect(isDisposable('za.com')).toBe(true);
  expect(isDisposable('shop.za.com')).toBe(false);
});

test('the operator decides also where a large provider takes the mail, and the rule says who did', () => {
  const overrides = overridesOf('throwaway.com\n!mailinator.com');
  expect(disposableFinding('throwaway.com', 'google', overrides)).toEqual({
    disposable: true,
    lists: 0,
    rule: "disposable: throwaway.com is disposable by the operator's file",
  });
  expect(disposableFinding('a.mailinator.com', null, overrides).rule).toBe(
    "disposable: mailinator.com is never disposable by the operator's file",
  );
});

test('a hint and the verdict at the end of a list follow the entries of the moment', () => {
  const overrides = overridesOf('throwaway.com');
  expect(inspectAddress('a@throwaway.com', overrides).disposable).toBe(true);
  expect(unansweredVerdict('a@throwaway.com', undefined, overrides)).toMatchObject({ reason: 'disposable' });
  overrides.replace(read('!throwaway.com\n!mailinator.com'));
  expect(inspectAddress('a@throwaway.com', overrides).disposable).toBe(false);
  expect(unansweredVerdict('a@mailinator.com', undefined, overrides)).toMatchObject({ reason: 'no_connect' });
});

test('reading is linear in the file', async () => {
  const sizes = [20_000, 40_000, 80_000, 160_000];
  await expectLinear({
    what: 'a file of disposable domains',
    sizes,
    make: (lines) => Array.from({ length: lines }, (_, i) => `d${i}.example\n`).join(''),
    look: (text) => read(text),
  });
});
