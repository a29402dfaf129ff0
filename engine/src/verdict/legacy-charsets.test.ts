// Replies as they come from the wire in the character sets of older servers: the reader gives bytes that are not
// UTF-8 as Latin-1, and a blank for every control character.
import { describe, expect, it } from 'vitest';
import { hasShiftedText } from './legacy-charsets.ts';
import { readReply } from './read-reply.ts';

const meaningOf = (line: string) =>
  readReply('rcpt', { code: 550, enhanced: null, lines: [line] }, '').meaning;

describe('bytes that are not UTF-8 are read in the set they were written in', () => {
  it.each([
    [
      'koi8-r',
      'Пользователь не найден',
      '\xf0\xcf\xcc\xd8\xda\xcf\xd7\xc1\xd4\xc5\xcc\xd8\x20\xce\xc5\x20\xce\xc1\xca\xc4\xc5\xce',
      'no_mailbox',
    ],
    [
      'cp1251',
      'Нет такого пользователя',
      '\xcd\xe5\xf2\x20\xf2\xe0\xea\xee\xe3\xee\x20\xef\xee\xeb\xfc\xe7\xee\xe2\xe0\xf2\xe5\xeb\xff',
      'no_mailbox',
    ],
    [
      'cp866',
      'Почтовый ящик переполнен',
      '\x8f\xae\xe7\xe2\xae\xa2\xeb\xa9\x20\xef\xe9\xa8\xaa\x20\xaf\xa5\xe0\xa5\xaf\xae\xab\xad\xa5\xad',
      'over_quota',
    ],
    [
      'iso8859-5',
      'Пользователь не найден',
      '\xbf\xde\xdb\xec\xd7\xde\xd2\xd0\xe2\xd5\xdb\xec\x20\xdd\xd5\x20\xdd\xd0\xd9\xd4\xd5\xdd',
      'no_mailbox',
    ],
    [
      'shift_jis',
      '宛先のメールアドレスは存在しません',
      '\x88\xb6\x90\xe6\x82\xcc\x83\x81\x81\x5b\x83\x8b\x83\x41\x83\x68\x83\x8c\x83\x58\x82\xcd\x91\xb6\x8d\xdd\x82\xb5\x82\xdc\x82\xb9\x82\xf1',
      'no_mailbox',
    ],
    [
      'euc-jp',
      '該当するユーザは存在しません',
      '\xb3\xba\xc5\xf6\xa4\xb9\xa4\xeb\xa5\xe6\xa1\xbc\xa5\xb6\xa4\xcf\xc2\xb8\xba\xdf\xa4\xb7\xa4\xde\xa4\xbb\xa4\xf3',
      'no_mailbox',
    ],
    ['gbk', '用户不存在', '\xd3\xc3\xbb\xa7\xb2\xbb\xb4\xe6\xd4\xda', 'no_mailbox'],
    ['big5', '查無此人', '\xac\x64\xb5\x4c\xa6\xb9\xa4\x48', 'no_mailbox'],
    [
      'euc-kr',
      '사용자를 찾을 수 없습니다',
      '\xbb\xe7\xbf\xeb\xc0\xda\xb8\xa6\x20\xc3\xa3\xc0\xbb\x20\xbc\xf6\x20\xbe\xf8\xbd\xc0\xb4\xcf\xb4\xd9',
      'no_mailbox',
    ],
  ] as const)('%s: %s', (_set, _text, line, means) => expect(meaningOf(line)).toBe(means));

  it.each([
    ['宛先のメールアドレスは存在しません', ' $B08@h$N%a!<%k%"%I%l%9$OB8:_$7$^$;$s (B', 'no_mailbox'],
    ['メールボックスがいっぱいです', ' $B%a!<%k%\\%C%/%9$,$$$C$Q$$$G$9 (B', 'over_quota'],
  ] as const)('seven-bit Japanese: %s', (_text, line, means) => {
    expect(meaningOf(line)).toBe(means);
    expect(meaningOf(`5.0.0 <a@x.example>${line}`)).toBe(means);
  });

  it('unknown seven-bit Japanese is not a bare 550', () => {
    const line = ' $BE75$$,$$$$ (B';
    expect(hasShiftedText([line])).toBe(true);
    expect(meaningOf(line)).toBe('unclear');
  });

  it('UTF-8 that was cut inside a letter is still read', () => {
    const cut = Buffer.from('Пользователь не найден, проверьте адрес', 'utf8')
      .subarray(0, -1)
      .toString('latin1');
    expect(meaningOf(cut)).toBe('no_mailbox');
  });

  it('ASCII has no other reading', () => {
    expect(hasShiftedText(['5.1.1 user unknown ($Broken (Box)'])).toBe(false);
  });
});
