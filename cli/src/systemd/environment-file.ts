// Reads a file of settings as systemd reads an EnvironmentFile=, so that a command sees what the service sees.
// Promise: the same names and values, by the rules of systemd.exec(5): comments, quotes, escapes, continued lines.

/** Names as systemd takes them; other lines are left out, as there. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

type State = 'before key' | 'key' | 'before value' | 'value' | 'single' | 'double' | 'comment';

export function parseEnvironmentFile(text: string): Record<string, string> {
  const found: Record<string, string> = Object.create(null);
  let state: State = 'before key';
  let key = '';
  let value = '';
  /** Of an unquoted value: spaces at its end do not count, unless they were escaped. */
  let keptLength = 0;
  const take = (character: string) => {
    value += character;
    keptLength = value.length;
  };
  const end = () => {
    const name = key.trimEnd();
    if (state !== 'key' && state !== 'before key' && state !== 'comment' && NAME.test(name))
      found[name] = value.slice(0, keptLength);
    key = value = '';
    keptLength = 0;
    state = 'before key';
  };
  const characters = [...text];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    const next = characters[at + 1];
    const isLineEnd = character === '\n' || character === '\r';
    switch (state) {
      case 'before key':
        if (character === '#' || character === ';') state = 'comment';
        else if (!isSpace(character)) {
          state = 'key';
          key = character;
        }
        break;
      case 'key':
        if (isLineEnd) end();
        else if (character === '=') state = 'before value';
        else key += character;
        break;
      case 'before value':
      case 'value':
        if (isLineEnd) end();
        else if (character === "'" && state === 'before value') state = 'single';
        else if (character === '"' && state === 'before value') state = 'double';
        else if (character === '\\') {
          state = 'value';
          at += 1;
          // Before the end of a line: it goes on in the next one.
          take(next === undefined || next === '\n' || next === '\r' ? '' : next);
        } else if (isSpace(character)) {
          if (state === 'value') value += character;
        } else {
          state = 'value';
          take(character);
        }
        break;
      case 'single':
        if (character === "'") state = 'before value';
        else take(character);
        break;
      case 'double':
        if (character === '"') state = 'before value';
        else if (character === '\\') {
          at += 1;
          if (next !== undefined && next !== '\n') take('"\\`$'.includes(next) ? next : `\\${next}`);
        } else take(character);
        break;
      case 'comment':
        if (isLineEnd) state = 'before key';
        break;
      default:
        state satisfies never;
    }
  }
  end();
  return found;
}

function isSpace(character: string): boolean {
  return character === ' ' || character === '\t' || character === '\n' || character === '\r';
}
