import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { disposableFinding } from './disposable.ts';
import { isOnCuratedDisposableList, isOnGatheredDisposableList } from './disposable-lists.ts';
import { isFree } from './free-providers.ts';

const gathered = (createRequire(import.meta.url)('mailchecker') as { blacklist(): Set<string> }).blacklist();

describe('disposable domains', () => {
  it.each([
    'mailinator.com',
    'yopmail.com',
    'guerrillamail.com',
    '10minutemail.com',
    'trashmail.com',
    'temp-mail.org',
  ])('%s is one, whichever provider takes its mail', (domain) => {
    for (const provider of [null, 'other', 'google'])
      expect(disposableFinding(domain, provider).disposable).toBe(true);
  });

  it('so is a name under one', () => {
    const { disposable, rule } = disposableFinding('a.b.mailinator.com', null);
    expect(disposable).toBe(true);
    expect(rule).toContain('mailinator.com');
  });

  it.each(['gmail.com', 'outlook.com', 'example.com', 'com', 'localhost', ''])('%s is none', (domain) => {
    expect(disposableFinding(domain, null).disposable).toBe(false);
  });

  it('a registry on a list says nothing about who registered under it', () => {
    expect(isOnGatheredDisposableList('za.com')).toBe(true);
    expect(disposableFinding('shop.za.com', null).disposable).toBe(false);
  });

  it('no free provider is disposable on one list’s word', () => {
    let spared = 0;
    for (const domain of gathered) {
      if (!isFree(domain) || isOnCuratedDisposableList(domain)) continue;
      spared++;
      const { disposable, lists } = disposableFinding(domain, null);
      // A name above it may be on the other list: then it is not one list's word.
      if (disposable && lists === 1) expect.unreachable(domain);
    }
    expect(spared).toBeGreaterThan(100);
  });

  it('no domain whose mail a large provider takes is disposable on one list’s word', () => {
    let asked = 0;
    for (const domain of gathered) {
      if (isOnCuratedDisposableList(domain)) continue;
      const { disposable, lists } = disposableFinding(domain, 'google');
      if (disposable && lists === 1) expect.unreachable(domain);
      asked++;
    }
    expect(asked).toBeGreaterThan(10_000);
  });

  it('says which list named it', () => {
    const alias = disposableFinding('duck.com', null);
    expect(alias).toMatchObject({ disposable: false, lists: 1 });
    expect(alias.rule).toMatch(/^disposable: .*duck\.com.*mailchecker/);
    const relayed = disposableFinding('mozmail.com', 'microsoft');
    expect(relayed).toMatchObject({ disposable: false, lists: 1 });
    expect(relayed.rule).toMatch(/^disposable: .*mozmail\.com.*mailchecker.*microsoft/);
  });
});
