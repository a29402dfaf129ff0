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
  ])('%s is one, whoever takes its mail', (domain) => {
    for (const provider of [null, 'other', 'google'])
      expect(isThrowaway(domain, provider).throwaway).toBe(true);
  });

  it('so is a name under one', () => {
    expect(isThrowaway('a.b.mailinator.com', null)).toEqual({
      throwaway: true,
      rule: 'throwaway: both lists name mailinator.com',
    });
  });

  it.each([
    'gmail.com',
    'networkHealth.com',
    'example.com',
    'com',
    'localhost',
    '',
  ])('%s is none', (domain) => {
    expect(isThrowaway(domain, null)).toEqual({ throwaway: false, rule: 'throwaway: on no list' });
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
      const { throwaway, rule } = isThrowaway(domain, null);
      // A name above it may be on the other list: then it is not one list's word.
      if (throwaway && !rule.startsWith('throwaway: both')) expect.unreachable(domain);
    }
    expect(spared).toBeGreaterThan(100);
  });

  it('no domain whose mail a large provider takes is throwaway on one list’s word', () => {
    let asked = 0;
    for (const domain of gathered) {
      if (isOnCuratedThrowawayList(domain)) continue;
      const { throwaway, rule } = isThrowaway(domain, 'google');
      if (throwaway && !rule.startsWith('throwaway: both')) expect.unreachable(domain);
      asked++;
    }
    expect(asked).toBeGreaterThan(10_000);
  });

  it('says which list named it', () => {
    expect(isThrowaway('duck.com', null)).toEqual({
      throwaway: false,
      rule: 'throwaway: only mailchecker names duck.com, a free provider',
    });
    expect(isThrowaway('mozmail.com', 'microsoft')).toEqual({
      throwaway: false,
      rule: 'throwaway: only mailchecker names mozmail.com, whose mail microsoft takes',
    });
  });
});
