// The table of commands as completion needs it: what may follow which words.

import { CONFIG_FILE, type CommandSpec, type OptionSpec } from '../shared/command-spec.ts';

interface Word {
  readonly word: string;
  readonly about: string;
}

export interface Flag extends Word {
  /** `none`: a switch. `any`: free text, which cannot be completed. */
  readonly takes: 'none' | 'file' | 'any' | readonly string[];
}

/** What may come after a path such as `list show`; the empty path is `mxproof` itself. */
export interface Place {
  readonly path: string;
  readonly commands: readonly Word[];
  readonly flags: readonly Flag[];
  /** The words that its arguments may be. */
  readonly values: readonly string[];
  readonly takesFiles: boolean;
}

const HELP: Flag = { word: '--help', about: 'show help', takes: 'none' };

export function completionTable(commands: Readonly<Record<string, readonly CommandSpec[]>>): Place[] {
  const specs = new Map(
    Object.values(commands)
      .flat()
      .map((spec) => [spec.name, spec]),
  );
  const paths = new Set(['']);
  for (const name of specs.keys()) {
    const words = name.split(' ');
    for (let length = 1; length <= words.length; length += 1) paths.add(words.slice(0, length).join(' '));
  }
  return [...paths].map((path) => {
    const spec = specs.get(path);
    const children = [...paths].filter((each) => each !== '' && parentOf(each) === path);
    return {
      path,
      commands: children.map((each) => ({ word: each.split(' ').at(-1)!, about: aboutOf(each, specs) })),
      flags: [
        ...(spec?.options ?? []).filter(({ isHidden }) => !isHidden).map(flagOf),
        flagOf(CONFIG_FILE),
        HELP,
      ],
      values: (spec?.arguments ?? []).flatMap(({ choices = [] }) => choices),
      takesFiles: (spec?.arguments ?? []).some(({ name }) => name.includes('file')),
    };
  });
}

function parentOf(path: string): string {
  return path.split(' ').slice(0, -1).join(' ');
}

/** A group that is no command says what it has. */
function aboutOf(path: string, specs: ReadonlyMap<string, CommandSpec>): string {
  const verbs = () => [...specs.keys()].filter((name) => name.startsWith(`${path} `));
  return (
    specs.get(path)?.about ??
    verbs()
      .map((name) => name.slice(path.length + 1))
      .join(', ')
  );
}

function flagOf({ flags, about, choices }: OptionSpec): Flag {
  const [word = '', value] = flags.split(' ');
  if (value === undefined) return { word, about, takes: 'none' };
  return { word, about, takes: choices ?? (value === '<file>' ? 'file' : 'any') };
}
