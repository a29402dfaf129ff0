// What a request for a path that does not exist probably meant: another method, another spelling, or /v1 in front of it.
// Promise: it names routes of the API alone, by their patterns; nothing of what was sent.
import { slips } from '@mxproof/common/slips';

const MAX_PATH_CHARACTERS = 200;
const MAX_SEGMENTS = 8;
/** A letter left out, put in or changed (`/v1/list`), in words that are long enough for it. */
const MAX_SLIPS = 2;

interface Pattern {
  /** As the document writes it: `/v1/lists/{id}`. */
  readonly shown: string;
  /** Behind `/v1`; null: a parameter. */
  readonly segments: readonly (string | null)[];
  readonly methods: string[];
}

export interface PathMistakes {
  /** A route as it is registered, with its prefix. */
  note(methods: string | readonly string[], url: string): void;
  /** Undefined: nothing near. */
  meant(method: string, url: string): string | undefined;
}

export function createPathMistakes(): PathMistakes {
  const patterns = new Map<string, Pattern>();
  return {
    note(methods, url) {
      if (!url.startsWith('/v1/') || url.includes('*')) return;
      const shown = url.replace(/:(\w+)/g, '{$1}');
      const segments = segmentsOf(url)
        .slice(1)
        .map((segment) => (segment.startsWith(':') ? null : segment));
      const pattern = patterns.get(shown) ?? { shown, segments, methods: [] };
      patterns.set(shown, pattern);
      for (const method of [methods].flat())
        if (method !== 'HEAD' && !pattern.methods.includes(method)) pattern.methods.push(method);
    },
    meant(method, url) {
      const [path = ''] = url.split(/[?#]/, 1);
      const sent = segmentsOf(path);
      if (path.length > MAX_PATH_CHARACTERS || sent.length > MAX_SEGMENTS) return undefined;
      while (sent.length > 1 && /^(?:api|v\d{1,3})$/i.test(sent[0]!)) sent.shift();
      const best = nearest(patterns.values(), sent, method);
      if (!best) return undefined;
      const takes = `takes ${best.methods.join(', ')}`;
      if (matches(best, path)) return best.methods.includes(method) ? undefined : `this path ${takes}`;
      return best.methods.includes(method)
        ? `did you mean ${method} ${best.shown}?`
        : `did you mean ${best.shown}? It ${takes}`;
    },
  };
}

function segmentsOf(path: string): string[] {
  return path.split('/', 4 * MAX_SEGMENTS).filter((segment) => segment !== '');
}

/** With the fewest slips; of equal ones the one with the method. */
function nearest(patterns: Iterable<Pattern>, sent: readonly string[], method: string): Pattern | null {
  let best: Pattern | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const pattern of patterns) {
    const found = slipsIn(pattern, sent);
    if (found === null) continue;
    const cost = found + (pattern.methods.includes(method) ? 0 : 0.5);
    if (cost < fewest) [best, fewest] = [pattern, cost];
  }
  return best;
}

/** Null: too many. */
function slipsIn({ segments }: Pattern, sent: readonly string[]): number | null {
  if (segments.length !== sent.length) return null;
  let sum = 0;
  for (const [at, segment] of segments.entries()) {
    if (segment === null) continue;
    const found = slips(sent[at]!.toLowerCase(), segment, segment.length >= 5 ? MAX_SLIPS : 1);
    if (found === null) return null;
    sum += found;
  }
  return sum <= MAX_SLIPS ? sum : null;
}

function matches({ shown }: Pattern, path: string): boolean {
  const [given, meant] = [path.split('/'), shown.split('/')];
  return (
    given.length === meant.length &&
    meant.every((segment, at) => (segment.startsWith('{') ? given[at] !== '' : given[at] === segment))
  );
}
