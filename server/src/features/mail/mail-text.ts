// What a mail to a person of an account says, as text and as HTML that holds without images. Decides, touches nothing.
// Promise: no address of a list, also where a name has one in it; names end no header line and open no tag; the text says what the
// HTML says.
import { ACTION_WORDS, ACTIONS } from '@mxproof/common/vocabulary/labels';
import type { ActionCounts } from './count-actions.ts';
import type { Mail } from './send-mail.ts';
import type { DueEvent } from './stored-mail.ts';

export interface ToldEvent extends DueEvent {
  /** Of a list; null: its results are gone. */
  readonly counts: ActionCounts | null;
}

export interface MailContent {
  /** One at least, in the order in which they happened. */
  readonly events: readonly ToldEvent[];
  /** Of the same mail, which are only counted. */
  readonly more: number;
  /** Where browsers reach the service, without a slash at its end. */
  readonly url: string;
  /** Who sends it, and whom to tell that it is to stop. */
  readonly from: string;
}

/** One event, as both forms show it. */
interface Section {
  readonly subject: string;
  readonly title: string;
  readonly account: string;
  readonly lines: readonly string[];
  readonly rows: readonly (readonly [label: string, count: string, color: string])[];
  readonly link: string;
  readonly linkText: string;
}

const MAX_NAME_CHARACTERS = 80;
/** A header's line has at most 998 bytes; a subject that people read has far fewer. */
const MAX_SUBJECT_CHARACTERS = 150;

/** As those of the console's cards; readable on white and on black. */
const COLORS = {
  send: '#2a7d46',
  separate: '#a86a00',
  skip: '#a86a00',
  remove: '#c0392b',
  retry: '#767676',
} as const;

export function mailText(content: MailContent): Pick<Mail, 'subject' | 'text' | 'html' | 'unsubscribe'> {
  const { from, more } = content;
  const sections = content.events.map((event) => sectionOf(event, content.url));
  const accounts = [...new Set(content.events.map(accountOf))];
  const rest = more === 0 ? null : `And ${more === 1 ? '1 event' : `${number(more)} events`} more.`;
  const why = `This mail is sent to you because the operator of ${new URL(content.url).host} has entered this address for ${
    accounts.length === 1 ? `account ${accounts[0]}` : 'these accounts'
  }.`;
  const stop = `To stop it, write to ${from}.`;
  const isOfSeveral = accounts.length > 1;
  return {
    subject: `MXProof: ${subjectOf(sections, content)}`.slice(0, MAX_SUBJECT_CHARACTERS).toWellFormed(),
    text: `${[
      ...sections.map((section) => asText(section, isOfSeveral)),
      ...(rest === null ? [] : [rest]),
      `-- \n${why}\n${stop}`,
    ].join('\n\n')}\n`,
    html: page([
      ...sections.map((section) => asHtml(section, isOfSeveral)),
      ...(rest === null ? [] : [`<p>${escaped(rest)}</p>`]),
      `<p style="margin:32px 0 0;font-size:13px;opacity:.75">${escaped(why)} ${escaped(stop)}</p>`,
    ]),
    unsubscribe: `<mailto:${mailtoOf(from)}?subject=${encodeURIComponent(`Stop mail for account ${content.events[0]!.accountId}`)}>`,
  };
}

function sectionOf(told: ToldEvent, url: string): Section {
  const account = accountOf(told);
  const { list, endpoint } = told;
  switch (told.event) {
    case 'list.done': {
      const name = shownName(list!.name);
      const { counts } = told;
      const addresses = list!.total === 1 ? '1 address' : `${number(list!.total)} addresses`;
      return {
        account,
        subject: `your list is done: ${name}`,
        title: `Your list is done: ${name}`,
        lines: [counts === null ? `${addresses}. Its results are deleted already.` : `${addresses}:`],
        rows:
          counts === null
            ? []
            : ACTION_WORDS.map((action) => [ACTIONS[action].title, number(counts[action]), COLORS[action]]),
        link: `${url}/lists/${list!.id}`,
        linkText: 'Open the list',
      };
    }
    case 'credits.low': {
      const { credits, lowCredits } = told.facts as { credits: number; lowCredits: number };
      const left = credits === 1 ? '1 credit is left' : `${number(credits)} credits are left`;
      return {
        account,
        subject: `credits are low: ${left}`,
        title: 'Credits are low',
        lines: [
          `${left}, fewer than the ${number(lowCredits)} below which you want to be told.`,
          'A list that needs more credits than are left is refused.',
        ],
        rows: [],
        link: `${url}/account`,
        linkText: 'Open the account',
      };
    }
    case 'webhook.off': {
      const host = URL.parse(endpoint!.url)?.host ?? '';
      const { reason } = told.facts as { reason: 'gone' | 'failing' };
      return {
        account,
        subject: `a webhook endpoint was switched off: ${host}`,
        title: `A webhook endpoint was switched off: ${host}`,
        lines: [
          reason === 'gone'
            ? `Endpoint ${endpoint!.id} answered 410, which says that it is gone.`
            : `Endpoint ${endpoint!.id} has taken nothing for five days.`,
          'What happens from now on is not sent to it, nor kept for it, until you switch it on again.',
        ],
        rows: [],
        link: `${url}/account#webhooks`,
        linkText: 'Open the endpoints',
      };
    }
  }
}

function accountOf({ accountId, accountName }: DueEvent): string {
  return `${accountId} (${shownName(accountName)})`;
}

function subjectOf(sections: readonly Section[], { events, more }: MailContent): string {
  if (sections.length + more === 1) return sections[0]!.subject;
  const lists = events.filter(({ event }) => event === 'list.done').length;
  if (lists + more === 0 || more > 0 || lists < sections.length)
    return `${number(sections.length + more)} events: ${sections[0]!.subject}`;
  return `${number(lists)} lists are done`;
}

/** Control characters, those that change the direction of writing, and separators of lines. */
const NOT_SHOWN = /[\p{C}\p{Zl}\p{Zp}]+/gu;

/** Of a list or an account, as its owner has written it: on one line, without addresses. */
export function shownName(name: string): string {
  const shown = name
    .replace(NOT_SHOWN, ' ')
    .replace(/[^\s"(),;<>]+/g, (word) => (/[@\uff20\ufe6b]|%40/.test(word) ? '[address]' : word))
    .trim();
  const characters = [...shown];
  return characters.length > MAX_NAME_CHARACTERS
    ? `${characters.slice(0, MAX_NAME_CHARACTERS - 1).join('')}…`
    : shown;
}

const number = (value: number) => value.toLocaleString('en');

function asText({ title, account, lines, rows, link }: Section, isOfSeveral: boolean): string {
  const [labels, counts] = [0, 1].map((at) => Math.max(0, ...rows.map((row) => row[at as 0 | 1].length)));
  const table = rows.map(([label, count]) => `  ${label.padEnd(labels!)}  ${count.padStart(counts!)}`);
  return [
    title,
    ...(isOfSeveral ? [`Account ${account}`] : []),
    ...lines,
    ...(table.length > 0 ? ['', ...table] : []),
    '',
    link,
  ].join('\n');
}

function asHtml({ title, account, lines, rows, link, linkText }: Section, isOfSeveral: boolean): string {
  const table = rows
    .map(
      ([label, count, color]) =>
        `<tr><td style="padding:4px 32px 4px 10px;border-left:4px solid ${color}">${escaped(label)}</td><td align="right" style="padding:4px 0"><b>${count}</b></td></tr>`,
    )
    .join('');
  return `<h1 style="margin:24px 0 8px;font-size:20px;line-height:1.3">${escaped(title)}</h1>
${isOfSeveral ? `<p style="margin:0 0 8px;opacity:.75">Account ${escaped(account)}</p>\n` : ''}${lines
  .map((line) => `<p style="margin:0 0 8px">${escaped(line)}</p>`)
  .join('\n')}
${table === '' ? '' : `<table role="presentation" cellspacing="0" cellpadding="0" style="margin:12px 0;border-spacing:0 4px;border-collapse:separate">${table}</table>\n`}<p style="margin:16px 0"><a href="${escaped(link)}" style="font-weight:bold">${escaped(linkText)}</a></p>`;
}

function page(parts: readonly string[]): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>MXProof</title></head>
<body style="margin:0;padding:16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:560px;margin:0 auto;overflow-wrap:anywhere">
${parts.join('\n')}
</div></body></html>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

function mailtoOf(address: string): string {
  const at = address.lastIndexOf('@');
  return `${encodeURIComponent(address.slice(0, at))}@${encodeURIComponent(address.slice(at + 1))}`;
}
