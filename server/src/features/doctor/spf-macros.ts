// Macros of SPF (RFC 7208, 7). Promise: never throws; what is written out is at most 253 characters, as a name is.
import type { Ip } from '../../rules/cidr.ts';
import { addressLabels } from './ip-names.ts';

/** What macros stand for. */
export interface MacroValues {
  readonly ip: Ip;
  /** `local@domain`. */
  readonly sender: string;
  readonly helo: string;
  /** The one whose record is read. */
  readonly domain: string;
}

const NAME_MAX_CHARS = 253;
const V4_BITS = 32;
/** `c`, `r` and `t` are for explanations alone. */
const MACRO = /%(?:\{([slodiphv])(\d{0,3})(r?)([.\-+,/_=]*)\}|([%_-]))/gi;
const MACRO_STRING = /^(?:%(?:\{[slodiphv]\d{0,3}r?[.\-+,/_=]*\}|[%_-])|[!-$&-~])*$/i;
const ZERO_PARTS = /%\{[a-z]0+(?!\d)/i;
const ESCAPES: Readonly<Record<string, string>> = { '%': '%', _: ' ', '-': '%20' };
/** The name of the client by PTR: deprecated, and never looked up here. */
const NO_NAME = 'unknown';

export function isMacroString(text: string): boolean {
  return MACRO_STRING.test(text) && !ZERO_PARTS.test(text);
}

/** `text` is one that `isMacroString` found to be one. A name that is too long loses labels at its beginning. */
export function expandMacros(text: string, values: MacroValues): string {
  const written = text.replace(
    MACRO,
    (_whole, letter: string, digits: string, isReversed: string, delimiters: string, escaped: string) => {
      if (escaped !== undefined) return ESCAPES[escaped]!;
      const value = transform(
        macroValue(letter.toLowerCase(), values),
        digits,
        isReversed !== '',
        delimiters,
      );
      return letter >= 'a' ? value : encodeURIComponent(value);
    },
  );
  if (written.length <= NAME_MAX_CHARS) return written;
  const dot = written.indexOf('.', written.length - NAME_MAX_CHARS - 1);
  return dot < 0 ? '' : written.slice(dot + 1);
}

function macroValue(letter: string, { ip, sender, helo, domain }: MacroValues): string {
  const at = sender.lastIndexOf('@');
  switch (letter) {
    case 's':
      return sender;
    case 'l':
      return sender.slice(0, at);
    case 'o':
      return sender.slice(at + 1);
    case 'd':
      return domain;
    case 'i':
      return addressLabels(ip).join('.');
    case 'h':
      return helo;
    case 'v':
      return ip.width === V4_BITS ? 'in-addr' : 'ip6';
    default:
      return NO_NAME;
  }
}

function transform(value: string, digits: string, isReversed: boolean, delimiters: string): string {
  if (digits === '' && !isReversed && delimiters === '') return value;
  const separator = new RegExp(`[${(delimiters || '.').replace(/[.\-+,/_=]/g, '\\$&')}]`);
  const parts = value.split(separator);
  if (isReversed) parts.reverse();
  return parts.slice(digits === '' ? 0 : -Number(digits)).join('.');
}
