// Commands that have another name now. Promise: the old one prints the same and ends with the same status, and one line on
// standard error says the new one.

const NEW_NAMES: Readonly<Record<string, string>> = {
  explain: 'check --explain --service',
  'admin list show': 'list show --any',
  'admin list cancel': 'list cancel --any',
};

export const OLD_NAMES = Object.keys(NEW_NAMES).map((name) => ({ name }));

/** `args`: the words of a command, then the rest. */
export function withNewName(args: readonly string[], say: (line: string) => void): readonly string[] {
  for (const [old, now] of Object.entries(NEW_NAMES)) {
    const words = old.split(' ');
    if (words.some((word, at) => word !== args[at])) continue;
    say(`"mxproof ${old}" is now "mxproof ${now}".\n`);
    return [...now.split(' '), ...args.slice(words.length)];
  }
  return args;
}
