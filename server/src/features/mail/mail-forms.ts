// A mail to a person as text and as HTML, and the names in it. Decides, touches nothing.
// Promise: names end no header line, open no tag and have no address or link in them; the text says what the HTML says.
import { type MailParts, type MailSection, mailHtml } from './mail-html.ts';

export interface WrittenMail {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const MAX_NAME_CHARACTERS = 80;
/** A header's line has at most 998 bytes; a subject that people read has far fewer. */
const MAX_SUBJECT_CHARACTERS = 150;

export function bothForms(subject: string, parts: MailParts): WrittenMail {
  const { sections, rest, why, stop } = parts;
  return {
    subject: shortened(`MXProof: ${subject}`, MAX_SUBJECT_CHARACTERS),
    text: `${[
      ...sections.map(sectionText),
      ...(rest === null ? [] : [rest]),
      ['-- ', ...why, ...(stop === null ? [] : [`${stop.linkText}: ${stop.link}`])].join('\n'),
    ].join('\n\n')}\n`,
    html: mailHtml(parts),
  };
}

function sectionText({ title, account, lines, counts, link }: MailSection): string {
  const labels = Math.max(0, ...counts.map(({ label }) => label.length));
  const width = Math.max(0, ...counts.map(({ count }) => count.length));
  const table = counts.map(({ label, count }) => `  ${label.padEnd(labels)}  ${count.padStart(width)}`);
  return [
    title,
    ...(account === null ? [] : [`Account ${account}`]),
    ...lines,
    ...(table.length > 0 ? ['', ...table] : []),
    '',
    link,
  ].join('\n');
}

/** Control characters, those that change the direction of writing, and separators of lines. */
const NOT_SHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** Persian words and many emoji need them. */
const JOINERS = '\u200c\u200d';
const IS_SEEN = /[^\s\u200c\u200d]/;

const AN_ADDRESS = /[@\uff20\ufe6b]|%40/;
/** Programs that show mail make links of these words: the names are not the operator's words. */
const A_LINK = /:\/\/|\bwww\.|\.\p{L}{2,}\//iu;

/** Of a list or an account, as its owner has written it: on one line, without addresses and links. Empty: nothing in it can be seen. */
export function shownName(name: string): string {
  const shown = name
    .replace(NOT_SHOWN, (character) => (JOINERS.includes(character) ? character : ' '))
    .replace(/ {2,}/g, ' ')
    .replace(/[^\s"(),;<>]+/g, (word) =>
      AN_ADDRESS.test(word) ? '[address]' : A_LINK.test(word) ? '[link]' : word,
    )
    .trim();
  return IS_SEEN.test(shown) ? shortened(shown, MAX_NAME_CHARACTERS) : '';
}

function shortened(text: string, most: number): string {
  const characters = [...text];
  return characters.length > most ? `${characters.slice(0, most - 1).join('')}…` : text;
}
