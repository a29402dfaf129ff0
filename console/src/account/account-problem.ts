// What the account's acts may be refused for, beyond what any request may be. Decides on the kind of the refusal.
import { Refusal } from '@mxproof/client';
import { apiKeys, callbacks, requests, webhookSecret } from '../messages/en-account.ts';
import { members } from '../messages/en-people.ts';
import { webhooks } from '../messages/en-webhooks.ts';
import { problemText } from '../shell/problem.ts';

export function accountProblem(error: unknown): string {
  switch (error instanceof Refusal ? error.kind : null) {
    case 'may_not_manage':
      return apiKeys.mayNotManage;
    case 'own_key':
      return apiKeys.ownKey;
    case 'too_many_keys':
      return apiKeys.tooMany;
    case 'test_keys_only':
      return webhookSecret.liveOnly;
    case 'last_owner':
      return members.lastOwner;
    case 'already_member':
      return members.already;
    case 'too_many_members':
      return members.tooMany;
    case 'member_not_found':
      return members.gone;
    case 'bad_email':
    case 'email_required':
    case 'email_too_long':
      return members.needed;
    case 'bad_allowed_ips':
      return apiKeys.badAllowed;
    case 'bad_request_id':
      return requests.badId;
    case 'callback_pending':
    case 'delivery_pending':
      return callbacks.stillPending;
    case 'no_callback':
      return callbacks.gone;
    case 'too_many_webhooks':
      return webhooks.tooMany;
    case 'webhook_not_active':
      return webhooks.notActive;
    case 'webhook_not_found':
      return webhooks.notFound;
    case 'delivery_not_found':
      return webhooks.noDelivery;
    default:
      return problemText(error);
  }
}

export function mayNotManage(error: unknown): boolean {
  return error instanceof Refusal && error.kind === 'may_not_manage';
}
