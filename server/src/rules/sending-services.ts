/** Whose events are taken, by the word in the URL. */
export const SENDING_SERVICES = ['postmark', 'sendgrid', 'ses', 'mailgun'] as const;
export type SendingServiceName = (typeof SENDING_SERVICES)[number];
