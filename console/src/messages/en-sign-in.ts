// English, of the page for signing in: loaded with it.
export const signIn = {
  title: 'Sign in',
  intro: 'Check e-mail addresses before you send to them.',
  ended: 'Your session has ended. Sign in again to continue here.',
  openid: (name: string) => `Continue with ${name}`,
  email: 'Your e-mail address',
  send: 'Send me a link',
  sending: 'Sending…',
  sent: 'If this address was invited, a link is on its way: it works once, within 15 minutes.',
  badEmail: 'Enter your e-mail address, such as ann@example.com.',
  useKey: 'Use an API key',
  key: 'API key',
  hint: 'It starts with mx_. It is used once to sign in and not stored in this browser.',
  submit: 'Sign in',
  busy: 'Signing in…',
  needed: 'Enter your API key.',
  wrong:
    'This API key is invalid, expired or revoked, or may only verify. Check that you copied all of it, or use another.',
  tooMany: 'Too many attempts. Wait a minute and try again.',
  noKey: 'No key? Ask the operator of this service for a sign-in link: it works once, and you need no key.',
  notInvited: 'Not invited yet? Ask an owner of your account for a link to join.',
  noWay:
    'You need a link to sign in here. Ask an owner of your account or the operator of this service for one; it works once.',
  guide: 'Guide',
};
