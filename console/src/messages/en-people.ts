// English, of who is signed in and of the members of an account: loaded with them.
import { some } from './en.ts';

export const whoMenu = {
  title: 'You and your accounts',
  accounts: 'Accounts',
  side: 'Mode',
  live: 'Live',
  liveHint: 'Real checks, which cost credits',
  test: 'Test',
  testHint: 'No mail server is asked, and nothing is charged',
};

export const members = {
  title: 'Members',
  intro: 'People who use this account in a browser, without an API key. “Who did what” shows what they did.',
  invite: 'Invite a member',
  columns: { person: 'Person', role: 'Role', status: 'Status', actions: 'Change' },
  joined: (day: string) => `Joined ${day}`,
  invited: (day: string) => `Invited ${day}`,
  mailFailed: (why: string) => `Mail not sent: ${why}`,
  seen: (moment: string) => `Last seen ${moment}`,
  you: 'You',
  unnamed: (id: number) => `Member ${id}`,
  email: 'E-mail address',
  role: 'Role',
  roleOf: (who: string) => `Role of ${who}`,
  may: {
    viewer: 'Sees lists, results and credits, and downloads them. Changes nothing.',
    member: 'Also checks addresses, and starts, stops and deletes lists.',
    owner: 'Also manages members, API keys and webhooks.',
  },
  send: 'Invite',
  sending: 'Inviting…',
  needed: 'Enter the e-mail address of one person, such as ann@example.com.',
  linkTitle: (who: string) => `A link for ${who}`,
  linkWarning:
    'Send them this link. It works once, within 7 days, and is not shown again. Anyone who has it can join, so send it to no one else.',
  alsoMailed: (email: string) => `An invitation with a link of its own is also mailed to ${email}.`,
  copy: 'Copy the link',
  done: 'Done',
  newLink: 'New link',
  newLinkOf: (who: string) => `New link for ${who}`,
  newLinkTitle: (who: string) => `Make a new link for ${who}?`,
  newLinkMeaning: 'Earlier links for this person stop working. Browsers that are signed in stay signed in.',
  makeLink: 'Make a link',
  remove: 'Remove',
  removeOf: (who: string) => `Remove ${who}`,
  removeTitle: (who: string) => `Remove ${who}?`,
  removeMeaning:
    'They are signed out at once and can no longer use this account. Lists that they made stay. You can invite them again.',
  removeSelf: 'This is you: you are signed out of this account at once and can no longer use it.',
  confirm: 'Remove from the account',
  demoteSelf: 'Give up being an owner?',
  demoteMeaning:
    'You can then no longer manage members, keys and webhooks. Another owner can change it back.',
  demote: (role: string) => `Become ${role.toLowerCase()}`,
  lastOwner:
    'This is the only owner who has joined, and an account needs one. Make another member an owner first.',
  already: 'This person is already a member: see the table.',
  tooMany: 'An account can have at most 1,000 members. Remove members who no longer need it.',
  gone: 'This member no longer exists.',
  liveOnly: 'Members belong to the live account. To manage them, sign in with a live key.',
  none: 'No members yet',
  noneHint: 'Invite the people who clean your lists: they need no API key.',
  count: (count: number) => some(count, 'member', 'members'),
};

export const listMail = {
  title: 'Mail when lists are done',
  intro: 'The mail has the counts of the results and a link to the list, and no address of the list.',
  tick: 'Mail me when one of my lists is done',
  hint: (email: string) => `To ${email}. You can choose differently for each list, beside its start.`,
  notProved:
    'Mail is sent only to an address that has been proved to be yours: sign in once with a link that is mailed to you.',
  stopped: 'You stopped these mails from one of them. Choose them again to get them.',
  failed: (why: string) => `The last mail to you could not be sent: ${why}.`,
};
