// English, of the page that explains bounces: loaded with it, since the first script has no room for more.
import { some } from './en.ts';

export const bounces = {
  title: 'What does this reply mean?',
  intro:
    'Paste a mail server’s reply, lines of a log, or a whole bounce message. You see what each recipient was answered and what to do. Nothing is stored or charged; the addresses are read from your text in this browser.',
  field: 'Reply, log or bounce message',
  placeholder: '550 5.1.1 User unknown',
  submit: 'Explain',
  busy: 'Reading…',
  needed: 'Paste a reply or a bounce message.',
  tooLong: (size: string) =>
    `This is ${size}, and at most 256 KB are read. Paste one bounce message, or fewer lines of the log.`,
  none: 'There is no mail server’s reply in this text. Paste the line with its code, such as 550, or the whole message with its header.',
  found: (count: number) => some(count, 'recipient', 'recipients'),
  order: 'In the order in which the text names them.',
  recipient: (number: string) => `Recipient ${number}`,
  headings: ['Recipient', 'Address', 'What to do', 'Meaning', 'Advice', 'state', 'reason', 'detail', 'rule'],
  save: 'Download as CSV',
  fileName: 'bounces',
  todo: 'What to do',
  doubt: 'Not sure whether an address still exists?',
  more: 'Show more',
};
