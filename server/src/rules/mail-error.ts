// What went wrong with a mail, for people of accounts: the service's settings are not theirs.

const RELAY = 'the relay of MXPROOF_SMTP_RELAY';

export function shownMailError(error: string | null): string | null {
  return error === null ? null : error.replace(RELAY, 'the mail server of this service');
}
