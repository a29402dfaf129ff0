// What a mail to a person of an account says, in both forms. Decides, touches nothing.
// Promise: no address of a list, also where a name has one in it.
import { ACTION_WORDS, ACTIONS } from '@mxproof/common/vocabulary/labels';
import type { ActionCounts } from './count-actions.ts';
import { bothForms, shownName, type WrittenMail } from './mail-forms.ts';
import type { MailSection } from './mail-html.ts';
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
  /** The secret of the page that stops mail to this mailbox. */
  readonly stopToken: string;
}

/** One event, as both forms show it. */
interface Section extends MailSection {
  readonly subject: string;
}

export function mailText(content: MailContent): WrittenMail & Pick<Mail, 'unsubscribe'> {
  const { from, more, url } = content;
  const accounts = new Set(content.events.map(accountOf));
  const sections = content.events.map((event) => sectionOf(event, url, accounts.size > 1));
  const stopLink = `${url}/stop-mail/${content.stopToken}`;
  const subject = `Stop mail for account ${content.events[0]!.accountId}`;
  return {
    ...bothForms(subjectOf(sections, content), {
      sections,
      rest: more === 0 ? null : `And ${more === 1 ? '1 more event' : `${number(more)} more events`}.`,
      why: reasonsOf(content),
      stop: { link: stopLink, linkText: 'Stop these mails' },
    }),
    unsubscribe: {
      url: url.startsWith('https:') ? stopLink : null,
      mailto: `mailto:${mailtoOf(from)}?subject=${encodeURIComponent(subject)}`,
    },
  };
}

/** Why this mailbox gets it: as the account's own address, as a member's, or both. */
function reasonsOf({ events, url }: MailContent): string[] {
  const { host } = new URL(url);
  const named = (told: readonly ToldEvent[]) => {
    const [account, ...others] = new Set(told.map(accountOf));
    return others.length === 0 ? `account ${account}` : 'these accounts';
  };
  const [entered, chosen] = [false, true].map((forMember) =>
    events.filter((event) => event.forMember === forMember),
  ) as [ToldEvent[], ToldEvent[]];
  return [
    ...(entered.length === 0
      ? []
      : [
          `You get this mail because the operator of ${host} has entered this address for ${named(entered)}.`,
        ]),
    ...(chosen.length === 0
      ? []
      : [`You get this mail because you are a member of ${named(chosen)} on ${host}.`]),
  ];
}

function sectionOf(told: ToldEvent, url: string, isOfSeveral: boolean): Section {
  const base = { account: isOfSeveral ? accountOf(told) : null, counts: [] };
  const { list, endpoint } = told;
  switch (told.event) {
    case 'list.done': {
      const name = shownName(list!.name) || `number ${list!.id}`;
      const { counts } = told;
      const addresses = list!.total === 1 ? '1 address' : `${number(list!.total)} addresses`;
      return {
        ...base,
        subject: `your list is done: ${name}`,
        title: `Your list is done: ${name}`,
        lines: [counts === null ? `${addresses}. The results have already been deleted.` : `${addresses}:`],
        counts:
          counts === null
            ? []
            : ACTION_WORDS.map((action) => ({
                label: ACTIONS[action].title,
                count: number(counts[action]),
                mark: ACTIONS[action].mark,
              })),
        link: `${url}/lists/${list!.id}`,
        linkText: 'Open the list',
      };
    }
    case 'credits.low': {
      const { credits, lowCredits } = told.facts as { credits: number; lowCredits: number };
      const left = credits === 1 ? '1 credit is left' : `${number(credits)} credits are left`;
      return {
        ...base,
        subject: left,
        title: 'Credits are low',
        lines: [
          `${left}. You are told when fewer than ${number(lowCredits)} are left.`,
          'A list that needs more credits than are left is refused.',
        ],
        link: `${url}/account`,
        linkText: 'Open the account',
      };
    }
    case 'webhook.off': {
      const host = URL.parse(endpoint!.url)?.host ?? '';
      const { reason } = told.facts as { reason: 'gone' | 'failing' };
      return {
        ...base,
        subject: `a webhook endpoint was switched off: ${host}`,
        title: `A webhook endpoint was switched off: ${host}`,
        lines: [
          reason === 'gone'
            ? `Endpoint ${endpoint!.id} answered 410, which means that it is gone.`
            : `Endpoint ${endpoint!.id} has accepted no event for five days.`,
          'Until you switch it on again, events are neither sent to it nor kept for it.',
        ],
        link: `${url}/account#webhooks`,
        linkText: 'Open the endpoints',
      };
    }
  }
}

function accountOf({ accountId, accountName }: DueEvent): string {
  const name = shownName(accountName);
  return name === '' ? `${accountId}` : `${accountId} (${name})`;
}

function subjectOf([first, ...others]: readonly Section[], { events, more }: MailContent): string {
  const rest = others.length + more;
  if (rest === 0) return first!.subject;
  if (more === 0 && events.every(({ event }) => event === 'list.done'))
    return `${number(events.length)} lists are done`;
  return `${first!.subject}, and ${rest === 1 ? '1 more event' : `${number(rest)} more events`}`;
}

const number = (value: number) => value.toLocaleString('en');

function mailtoOf(address: string): string {
  const at = address.lastIndexOf('@');
  return `${encodeURIComponent(address.slice(0, at))}@${encodeURIComponent(address.slice(at + 1))}`;
}
