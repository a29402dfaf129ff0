import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { isFree } from './free.ts';
import { isThrowaway } from './throwaway.ts';
import { isOnCuratedThrowawayList, isOnGatheredThrowawayList } from './throwaway-lists.ts';

const gathered = (createRequire(import.meta.url)('mailchecker') as { blacklist(): Set<string> }).blacklist();

describe('throwaway domains', () => {
  it.each([
    'mailinator.com',
    'yopmail.com',
    'guerrillamail.com',
    '10minutemail.com',
    'trashmail.com',
    'temp-mail.org',
  ])('%s is one, whichever provider takes its mail', (domain) => {
    for (const provider of [null, 'other', 'google'])
      expect(isThrowaway(domain, provider).throwaway).toBe(true);
  });

  it('so is a name under one', () => {
    const { throwaway, rule } = isThrowaway('a.b.mailinator.com', null);
    expect(throwaway).toBe(true);
    expect(rule).toContain('mailinator.com');
  });

  it.each(['gmail.com', 'outlook.com', 'example.com', 'com', 'localhost', ''])('%s is none', (domain) => {
    expect(isThrowaway(domain, null).throwaway).toBe(false);
  });

  it('a registry on a list says nothing about who registered under it', () => {
    expect(isOnGatheredThrowawayList('za.com')).toBe(true);
    expect(isThrowaway('shop.za.com', null).throwaway).toBe(false);
  });

  it('no free provider is throwaway on one list’s word', () => {
    let spared = 0;
    for (const domain of gathered) {
      if (!isFree(domain) || isOnCuratedThrowawayList(domain)) continue;
      spared++;
      const { throwaway, lists } = isThrowaway(domain, null);
      // A name above it may be on the other list: then it is not one list's word.
      if (throwaway && lists === 1) expect.unreachable(domain);
    }
    expect(spared).toBeGreaterThan(100);
  });

  it('no domain whose mail a large provider takes is throwaway on one list’s word', () => {
    let asked = 0;
    for (const domain of gathered) {
      if (isOnCuratedThrowawayList(domain)) continue;
      const { throwaway, lists } = isThrowaway(domain, 'google');
      if (throwaway && lists === 1) expect.unreachable(domain);
      asked++;
    }
    expect(asked).toBeGreaterThan(10_000);
  });

  it('says which list named it', () => {
    const alias = isThrowaway('duck.com', null);
    expect(alias).toMatchObject({ throwaway: false, lists: 1 });
    expect(alias.rule).toMatch(/^throwaway: .*duck\.com.*mailchecker/);
    const relayed = isThrowaway('mozmail.com', 'microsoft');
    expect(relayed).toMatchObject({ throwaway: false, lists: 1 });
    expect(relayed.rule).toMatch(/^throwaway: .*mozmail\.com.*mailchecker.*microsoft/);
  });
});
