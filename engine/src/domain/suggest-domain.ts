// Typo suggestions: `gmial.com` → `gmail.com`. Evidence for people, never a verdict.
// Promises: no suggestion for a domain on the free list (it may be as real as its neighbour) but for those that hardly anyone
// means, never more than two edits
// away, and only as many edits per label as its length allows: three-letter names that differ in one letter are
// different names.
import { slips } from '@mxproof/common/slips';
import { isFree } from './free-providers.ts';

/** The large free providers, the most used first: of two as near, the more used is meant. */
const POPULAR = (
  'gmail.com yahoo.com hotmail.com outlook.com icloud.com aol.com live.com msn.com googlemail.com ' +
  'protonmail.com proton.me gmx.de gmx.net gmx.com web.de t-online.de freenet.de mail.ru yandex.ru rambler.ru ' +
  'hotmail.fr hotmail.co.uk hotmail.it hotmail.es hotmail.de outlook.fr outlook.de live.fr live.co.uk ' +
  'yahoo.co.uk yahoo.fr yahoo.de yahoo.it yahoo.es yahoo.co.jp yahoo.co.in yahoo.com.br ' +
  'orange.fr wanadoo.fr laposte.net free.fr sfr.fr libero.it virgilio.it tiscali.it btinternet.com ' +
  'comcast.net verizon.net sbcglobal.net bellsouth.net bigpond.com rediffmail.com naver.com hanmail.net ' +
  'uol.com.br terra.com.br bol.com.br seznam.cz onet.pl interia.pl bluewin.ch ziggo.nl telenet.be skynet.be'
).split(' ');

/** On the free list, and next to nothing but misspelt. */
const SELDOM_MEANT: ReadonlySet<string> = new Set(['yaho.com']);

const MAX_SLIPS = 2;
/** Nothing longer can be two slips from a popular one. */
const MAX_DOMAIN_LENGTH = 24;

interface SplitDomain {
  readonly name: string;
  readonly rest: string;
}

interface PopularDomain extends SplitDomain {
  readonly domain: string;
}

/** By the letter a typo of it may begin with: its first, or its second swapped to the front. */
const byFirstLetter = new Map<string, PopularDomain[]>();
for (const domain of POPULAR) {
  const candidate = { domain, ...split(domain) };
  for (const letter of new Set(domain.slice(0, 2))) {
    byFirstLetter.set(letter, [...(byFirstLetter.get(letter) ?? []), candidate]);
  }
}

export function suggestDomain(domain: string): string | null {
  if (domain.length > MAX_DOMAIN_LENGTH || !domain.includes('.')) return null;
  if (isFree(domain) && !SELDOM_MEANT.has(domain)) return null;
  const given = split(domain);
  let best: string | null = null;
  let fewest = MAX_SLIPS + 1;
  for (const candidate of byFirstLetter.get(domain[0] ?? '') ?? []) {
    if (candidate.domain === domain) return null;
    const slips = slipsBetween(given, candidate);
    if (slips < fewest) [best, fewest] = [candidate.domain, slips];
  }
  return best;
}

function split(domain: string): SplitDomain {
  const dot = domain.indexOf('.');
  return { name: domain.slice(0, dot), rest: domain.slice(dot + 1) };
}

function slipsBetween(given: SplitDomain, meant: SplitDomain): number {
  const tooMany = MAX_SLIPS + 1;
  // People begin a word right, or swap its first two letters; `cloud.com` is not a typo of `icloud.com`.
  const swapped = given.name[0] === meant.name[1] && given.name[1] === meant.name[0];
  if (given.name[0] !== meant.name[0] && !swapped) return tooMany;
  const inRest = slips(given.rest, meant.rest, meant.rest.length > 2 ? 1 : 0);
  if (inRest === null) return tooMany;
  const inName = slips(given.name, meant.name, nameSlipsAllowed(given.name, meant.name));
  return inName === null ? tooMany : inName + inRest;
}

function nameSlipsAllowed(given: string, meant: string): number {
  if (meant.length >= 8) return 2;
  if (meant.length >= 5) return 1;
  // Short names are dense: `live`, `line` and `love` are three domains. Only swapped letters count.
  return [...given].sort().join('') === [...meant].sort().join('') ? 1 : 0;
}
