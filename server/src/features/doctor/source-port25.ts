// Whether mail servers can be reached from a source, and whether it is they who answer. Pure: reads what was found.
import type { Reply } from '@mxproof/engine';
import type { CheckResult } from './doctor-check.ts';
import { shownText } from './shown-text.ts';
import { NO_PROXY, type Probe, type SourceFindings } from './source-findings.ts';
import { aboutSource, sourceText } from './sources.ts';

const REFUSED_FROM = 400;
const HOST_SHOWN_CHARS = 80;

/** How a connect through a proxy ends that says nothing about mail servers, by the engine's words. */
const PROXY_FAULTS: Readonly<Record<string, { readonly what: string; readonly advice: string }>> = {
  [NO_PROXY]: {
    what: 'has a name that does not resolve',
    advice: 'Correct the name in MXPROOF_SOURCE_ADDRESSES, or put an address there.',
  },
  EPROXYDOWN: {
    what: 'does not answer',
    advice: 'Start the proxy, or correct its host and port in MXPROOF_SOURCE_ADDRESSES.',
  },
  EPROXYPROTO: {
    what: 'does not speak SOCKS5',
    advice: 'Correct its port in MXPROOF_SOURCE_ADDRESSES: an HTTP or SOCKS4 proxy will not do.',
  },
  EPROXYLOGIN: {
    what: 'refuses the user name and password',
    advice: 'Correct them in MXPROOF_SOURCE_ADDRESSES, each percent-encoded.',
  },
  EPROXYREFUSED: {
    what: 'does not connect to mail servers',
    advice:
      'Allow connections to port 25 in the rules of the proxy, and ask its operator whether port 25 is open there.',
  },
  EPROXYNOROUTE: {
    what: 'cannot reach mail servers',
    advice: 'Ask the operator of the proxy to open outbound port 25 there.',
  },
};

export function judgePort25(findings: SourceFindings, port: number): CheckResult {
  return { ...judge(findings, port), ...aboutSource(findings.source) };
}

function judge(findings: SourceFindings, port: number): CheckResult {
  const { source, probes } = findings;
  if (probes.length === 0)
    return {
      status: 'warning',
      detail: 'No large provider has a mail server whose address is known here, so that none was asked.',
      advice: 'Look at dns.servers first. An IPv6 source needs DNS servers that answer AAAA queries.',
    };
  const unreached = probes.filter(isUnreached);
  if (unreached.length === probes.length) return shut(findings, port);
  return (
    intercepted(probes) ??
    partly(probes, port) ??
    turnedAway(probes) ?? {
      status: 'ok',
      detail: `${list(probes)} answer ${sourceText(source)} on port ${port}.`,
      advice: null,
    }
  );
}

function isUnreached({ greeting: { kind } }: Probe): boolean {
  return kind === 'unreached' || kind === 'silent';
}

/** None was reached. */
function shut({ source, probes }: SourceFindings, port: number): CheckResult {
  const errors = new Set(
    probes.map(({ greeting }) => (greeting.kind === 'unreached' ? greeting.error : 'silent')),
  );
  const only = errors.size === 1 ? [...errors][0]! : null;
  if (only === 'EADDRNOTAVAIL')
    return {
      status: 'failure',
      detail: `${sourceText(source)} is not an address of this machine.`,
      advice: `Add ${sourceText(source)} to a network interface, or correct MXPROOF_SOURCE_ADDRESSES.`,
    };
  if (only === 'ENETUNREACH' || only === 'EHOSTUNREACH')
    return {
      status: 'failure',
      detail: `There is no route from ${sourceText(source)} to the internet (${only}).`,
      advice: 'Check the default route and the gateway of this machine.',
    };
  const ofProxy = only === null ? undefined : PROXY_FAULTS[only];
  if (ofProxy !== undefined)
    return {
      status: 'failure',
      detail: `The proxy ${sourceText(source)} ${ofProxy.what} (${list(probes)} were asked for).`,
      advice: ofProxy.advice,
    };
  const how = [...errors].map(howShut).join(', ');
  return {
    status: 'failure',
    detail: `Outbound port ${port} is shut: ${list(probes)} cannot be reached from ${sourceText(source)} (${how}).`,
    advice: `${hostingRequest({ source, probes }, port)} Check a firewall of your own, too.`,
  };
}

function howShut(error: string): string {
  if (error === 'ETIMEDOUT') return 'timed out';
  if (error === 'ECONNREFUSED') return 'refused';
  return error === 'silent' ? 'connected, but nothing is said' : error;
}

/** To be sent as it stands. */
function hostingRequest({ source, probes }: Pick<SourceFindings, 'source' | 'probes'>, port: number): string {
  const machine = source.ip === null ? source.helo : `${source.helo} (${source.ip})`;
  const hosts = probes.map(({ target }) => shownText(target.hostName, HOST_SHOWN_CHARS)).join(', ');
  return (
    `Ask your hosting company: "Please open outbound TCP port ${port} for our server ${machine}. It asks mail servers ` +
    `whether addresses exist and sends no mail. At present, connections to port ${port} of ${hosts} fail."`
  );
}

/** Something else answers in a provider's name; null: no sign of it. */
function intercepted(probes: readonly Probe[]): CheckResult | null {
  const prints = probes.flatMap(({ greeting }) => fingerprint(greeting) ?? []);
  const isOneForAll = prints.length > 1 && new Set(prints).size === 1;
  const foreign = probes.filter(isForeign);
  if (!isOneForAll && foreign.length === 0) return null;
  const shown = (isOneForAll ? probes : foreign).find(({ greeting }) => fingerprint(greeting) !== null);
  const said = shown === undefined ? '' : `: "${shownReply(shown.greeting)}"`;
  const whom = isOneForAll
    ? `${list(probes)}, with one banner for all`
    : `${list(foreign)}, with a banner that is not theirs`;
  return {
    status: 'failure',
    detail: `Something between this machine and the internet answers instead of ${whom}${said}.`,
    advice:
      'No verdict from here can be trusted. Ask your hosting company to end its redirection of outbound port 25 (a transparent ' +
      'SMTP proxy), and turn off SMTP inspection in your own firewall. If dns.servers fails, repair that first.',
  };
}

/** Equal where one server speaks for two providers; null: neither spoke. */
function fingerprint(greeting: Probe['greeting']): string | null {
  switch (greeting.kind) {
    case 'answered':
      return `220 ${firstWord(greeting.banner)}`;
    // Numbers in it may count connections or tell the time.
    case 'turned_away':
      return greeting.banner.lines.join(' ').replace(/\d+/g, '');
    case 'no_smtp':
      return greeting.why;
    default:
      return null;
  }
}

/** A refusal may be said without a name; a banner is not. */
function isForeign({ target, greeting }: Probe): boolean {
  if (greeting.kind === 'no_smtp') return true;
  if (greeting.kind !== 'answered') return false;
  const names = [firstWord(greeting.banner), ...(greeting.hello === null ? [] : [firstWord(greeting.hello)])];
  return !names.some((name) => target.provider.names.some((end) => name === end || name.endsWith(`.${end}`)));
}

function firstWord({ lines }: Reply): string {
  return (lines[0] ?? '').trim().split(/\s/, 1)[0]!.toLowerCase();
}

/** Some were not reached; null: all were. */
function partly(probes: readonly Probe[], port: number): CheckResult | null {
  const missing = probes.filter(isUnreached);
  if (missing.length === 0) return null;
  const there = probes.filter((probe) => !isUnreached(probe));
  return {
    status: 'warning',
    detail: `${list(there)} can be reached on port ${port}, ${list(missing)} cannot.`,
    advice: `Run mxproof doctor again; if it stays so, ask your hosting company whether it filters port ${port} by destination.`,
  };
}

/** The port is open, and some will not have us; null: all will. */
function turnedAway(probes: readonly Probe[]): CheckResult | null {
  const away = probes.filter(({ greeting }) => shownRefusal(greeting) !== null);
  if (away.length === 0) return null;
  const said = away.map(
    ({ target, greeting }) => `${target.provider.title} says "${shownRefusal(greeting)}"`,
  );
  return {
    status: 'warning',
    detail: `The port is open, but a provider refuses this source: ${said.join('; ')}.`,
    advice:
      'Do what the reply asks for; source.ptr, source.helo and source.blocklists often show the reason.',
  };
}

function shownRefusal(greeting: Probe['greeting']): string | null {
  if (greeting.kind === 'turned_away') return shownReply(greeting);
  if (greeting.kind !== 'answered') return null;
  const { hello } = greeting;
  if (hello === null) return 'nothing after EHLO';
  return hello.code < REFUSED_FROM ? null : replyText(hello);
}

function shownReply(greeting: Probe['greeting']): string {
  if (greeting.kind === 'no_smtp') return greeting.why;
  return greeting.kind === 'answered' || greeting.kind === 'turned_away' ? replyText(greeting.banner) : '';
}

function replyText({ code, lines }: Reply): string {
  return shownText(`${code} ${lines.join(' ')}`);
}

const LIST = new Intl.ListFormat('en');

function list(probes: readonly Probe[]): string {
  return LIST.format(probes.map(({ target }) => target.provider.title));
}
