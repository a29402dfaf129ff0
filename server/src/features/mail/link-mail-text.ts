// What a mail with a link says: an invitation, or a link that signs in. Decides, touches nothing.
// Promise: a reader who did not ask for the mail learns what to do, and nothing about the account but its name; there is nothing to unsubscribe from.
import type { Role } from '../../rules/roles.ts';
import { INVITATION_DAYS } from '../../store/invitations.ts';
import { LINK_MINUTES } from '../../store/sign-in-links.ts';
import { bothForms, shownName, type WrittenMail } from './mail-forms.ts';

export interface LinkMailContent {
  readonly told:
    | { readonly kind: 'sign_in' }
    | { readonly kind: 'invitation'; readonly accountName: string; readonly role: Role };
  /** Where browsers reach the service, without a slash at its end. */
  readonly url: string;
  readonly token: string;
}

const ROLE_LINES: Readonly<Record<Role, string>> = {
  owner: 'As an owner you can do everything, and invite others.',
  member: 'As a member you can check addresses and lists.',
  viewer: 'As a viewer you can read lists and their results.',
};

export function linkMailText({ told, url, token }: LinkMailContent): WrittenMail {
  const { host } = new URL(url);
  const base = { account: null, counts: [] };
  if (told.kind === 'sign_in')
    return bothForms('your link to sign in', {
      sections: [
        {
          ...base,
          title: 'Sign in to MXProof',
          lines: [`This link signs you in at ${host}. It works once, within ${LINK_MINUTES} minutes.`],
          link: `${url}/sign-in/mail/${token}`,
          linkText: 'Sign in',
        },
      ],
      rest: null,
      why: [
        `You get this mail because a sign-in link for this address was requested at ${host}.`,
        'If you did not request it, ignore this mail: without the link, no one can sign in.',
      ],
      stop: null,
    });
  const name = shownName(told.accountName) || 'an account';
  return bothForms(`you are invited to ${name}`, {
    sections: [
      {
        ...base,
        title: `You are invited to ${name}`,
        lines: [
          `MXProof at ${host} checks whether e-mail addresses can receive mail.`,
          ROLE_LINES[told.role],
          `The link works once, within ${INVITATION_DAYS} days.`,
        ],
        link: `${url}/join/${token}`,
        linkText: 'Open the invitation',
      },
    ],
    rest: null,
    why: [
      'This mail is sent to you because an owner of the account has entered this address.',
      'If you did not expect it, ignore it: you become a member only if you join.',
    ],
    stop: null,
  });
}
