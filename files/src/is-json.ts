// Whether a text is JSON: one value or a value per line, each an array or an object. Promise: a table whose first cell
// begins with a bracket is not; every character is looked at once; nothing is built.

/** Nothing that is exported is nested deeper; what is, is no table either. */
const MAX_DEPTH = 512;

const SPACE = /[ \t\r\n]*/y;
const LITERAL = /-?\d{1,400}(?:\.\d{1,400})?(?:[eE][+-]?\d{1,4})?|true|false|null/y;
/** A literal that is cut off is no longer than this. */
const MAX_LITERAL_CHARACTERS = 800;

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'next';

/** `isWhole`: the text goes to its end; else it is enough that it may go on as JSON. */
export function isJson(text: string, isWhole: boolean): boolean {
  const open: ('[' | '{')[] = [];
  let expected: Expected = 'value';
  let at = endOf(SPACE, text, 0);
  while (at < text.length) {
    const char = text[at]!;
    const isKey: boolean = expected === 'key' || expected === 'first key';
    const isValue = expected === 'value' || expected === 'first value';
    if (isValue && (char === '[' || char === '{')) {
      if (open.length === MAX_DEPTH) return true;
      open.push(char);
      expected = char === '[' ? 'first value' : 'first key';
      at += 1;
    } else if (
      (char === ']' && open.at(-1) === '[' && (expected === 'first value' || expected === 'next')) ||
      (char === '}' && open.at(-1) === '{' && (expected === 'first key' || expected === 'next'))
    ) {
      open.pop();
      expected = open.length === 0 ? 'value' : 'next';
      at += 1;
    } else if (expected === 'colon' && char === ':') {
      expected = 'value';
      at += 1;
    } else if (expected === 'next' && char === ',') {
      expected = open.at(-1) === '[' ? 'value' : 'key';
      at += 1;
    } else if (open.length > 0 && (isKey || isValue)) {
      const end: number = char === '"' ? endOfString(text, at) : isKey ? -1 : endOf(LITERAL, text, at);
      if (end === text.length) return !isWhole;
      if (end < 0) return !isWhole && text.length - at < MAX_LITERAL_CHARACTERS && isCutLiteral(text, at);
      expected = isKey ? 'colon' : 'next';
      at = end;
    } else return false;
    at = endOf(SPACE, text, at);
  }
  return !isWhole || open.length === 0;
}

/** Behind its quote; the text's length where it is cut off; -1: it is none. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return -1;
    if (code === 0x5c) at += 1;
  }
  return text.length;
}

function isCutLiteral(text: string, at: number): boolean {
  const rest = text.slice(at);
  return (
    ['true', 'false', 'null'].some((word) => word.startsWith(rest)) || /^-?[\d.]*(?:[eE][+-]?)?$/.test(rest)
  );
}

function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.exec(text) === null ? -1 : pattern.lastIndex;
}
