// What an account's endpoints can be told of; a test event besides, which no endpoint asks for.
export const WEBHOOK_EVENTS = ['list.done', 'list.failed', 'list.paused', 'credits.low'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
