// The detail words in a person's words, as `check` and `explain` print them. Promise: every word of the engine has its
// own; docs/guide/verdicts.md says what to do for each.
import type { Detail } from '@mxproof/engine';

const WORDS: Readonly<Record<Detail, string>> = {
  accepted: 'the server accepts the mailbox',
  role: 'a role address, not a person',
  disposable: 'a disposable domain',
  catch_all: 'the domain accepts every address',
  catch_all_unknown: 'the domain may accept every address',
  decides_after_data: 'the server accepts every address and decides after the message',
  tenant_accepts_all: 'the mail service of the domain accepts every address',
  gateway_accepts_all: 'the gateway in front of the domain accepts every address',
  mailbox_full: 'the mailbox is full',
  no_such_mailbox: 'the mailbox does not exist',
  mailbox_disabled: 'the mailbox is closed',
  mailbox_moved: 'the mailbox has moved to another address',
  syntax: 'not a valid e-mail address',
  no_such_domain: 'the domain does not exist',
  no_mx: 'the domain has no mail server',
  null_mx: 'the domain declares that it accepts no mail',
  private_address: 'the mail server has no public address',
  tenant_lapsed: 'the provider runs no mail service for the domain at present',
  greylisted: 'the server defers first-time senders',
  rate_limited: 'the server limits how fast it may be asked',
  blocked: 'the server blocks our IP address',
  source_resting: 'our IP address was blocked here and is not used for a while',
  budget: 'the limit per hour or day for this provider is used up',
  sender_refused: 'the server refuses our sender address',
  temporary: 'the server has a temporary problem',
  unclear: "the server's reply does not say whether the mailbox exists",
  timeout: 'the server did not answer in time',
  connection_refused: 'the server refuses connections',
  connection_lost: 'the connection was dropped',
  tls_failed: 'no encrypted connection could be established',
  proxy_refused: 'our own proxy did not connect',
  proxy_no_route: 'our own proxy has no route to the server',
  dns_failed: 'DNS gave no answer',
  dns_untrusted: 'the DNS answer is not trusted',
  network_down: 'our own network is down',
  never_asked: 'the policy excludes this server',
  list_ended: 'the list ended before there was an answer',
};

/** A word of a later service is shown as it is. */
export function detailText(detail: Detail): string {
  const words: string | undefined = WORDS[detail];
  return words === undefined ? detail : `${detail} (${words})`;
}
