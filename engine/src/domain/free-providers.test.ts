import { describe, expect, it } from 'vitest';
import { isFree } from './free-providers.ts';

describe('free mailbox providers', () => {
  it.each(
    'gmail.com googlemail.com outlook.com hotmail.com live.com yahoo.com aol.com icloud.com gmx.de web.de mail.ru yandex.ru qq.com 163.com proton.me protonmail.com tutanota.com zoho.com laposte.net libero.it naver.com seznam.cz'.split(
      ' ',
    ),
  )('%s is one', (domain) => expect(isFree(domain)).toBe(true));

  it.each(['example.com', 'ibm.com', '', 'constructor'])('%s is none', (domain) =>
    expect(isFree(domain)).toBe(false));

  it.each([
    'mailinator.com',
    'yopmail.com',
    'gmial.com',
  ])('%s, a disposable that the kept list copied, is none', (domain) => expect(isFree(domain)).toBe(false));
});
