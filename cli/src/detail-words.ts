// The detail words in a person's words, as `check` and `explain` print them. Promise: every word of the engine has its
// own; docs/guide/verdicts.md says what to do for each.
import type { Detail } from '@mxproof/engine';

const WORDS: Readonly<Record<Detail, string>> = {
  accepted: 'the server accepts the mailbox',
  role: 'a role address, not a person',
  disposable: 'a throwaway domain',
  catch_all: 'the domain accepts every address',
  catch_all_unknown: 'the domain may accept every address',
  mailbox_full: 'the mailbox is full',
  no_such_mailbox: 'the mailbox does not exist',
  mailbox_disabled: 'the mailbox is closed',
  mailbox_moved: 'the mailbox has moved to another address',
  syntax: 'not written as an address can be',
  no_such_domain: 'the domain does not exist',
  no_mx: 'the domain has no mail server',
  null_mx: 'the domain says that it takes no mail',
  private_address: 'the mail server has no public address',
  greylisted: 'the server lets first-time senders wait',
  rate_limited: 'the server limits how often it may be asked',
  blocked: 'the server refuses the address it is asked from',
  source_resting: 'the address we ask from was blocked here and rests',
  budget: 'the hourly limit for this provider is used up',
  sender_refused: 'the server refuses the sender we ask with',
  temporary: 'the server has a temporary problem',
  unclear: "the server's reply does not say whether the mailbox exists",
  timeout: 'the server did not answer in time',
  connection_refused: 'the server refuses connections',
  connection_lost: 'the connection broke off',
  tls_failed: 'no encrypted connection could be made',
  proxy_refused: 'the proxy refused the connection',
  proxy_no_route: 'the proxy could not reach the server',
  dns_failed: 'DNS gave no answer',
  dns_untrusted: 'DNS gave an answer that is not believed',
  network_down: 'the network we ask from is down',
  never_asked: 'the policy says not to ask this server',
  list_ended: 'the list ended before there was an answer',
};

/** A word of a later service is shown as it is. */
export function detailText(detail: Detail): string {
  const words: string | undefined = WORDS[detail];
  return words === undefined ? detail : `${detail} (${words})`;
}
