// The completion scripts of bash, zsh and fish. Each walks the words typed so far along the table to the place it is at.

import type { Flag, Place } from './completion-table.ts';

/** Works on the bash 3.2 of macOS. Where it offers nothing, bash completes file names. */
export function bashScript(places: readonly Place[]): string {
  return `# bash completion for mxproof: eval "$(mxproof completion bash)"
_mxproof() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} at= offered= i
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
      ${knownPaths(places)}) at+=" \${COMP_WORDS[i]}" ;;
    esac
  done
  case "$at $prev" in
${valueCases(places, (takes) => (typeof takes === 'string' ? 'return' : `offered=${quoted(takes.join(' '))}`))}
    *)
      case "$at" in
${places.map((place) => `        ${quoted(spaced(place.path))}) offered=${quoted(wordsOf(place).join(' '))} ;;`).join('\n')}
      esac ;;
  esac
  COMPREPLY=($(compgen -W "$offered" -- "$cur"))
}
complete -o bashdefault -o default -F _mxproof mxproof
`;
}

export function zshScript(places: readonly Place[]): string {
  const cases = places.map((place) => {
    const commands = [...place.commands, ...place.values.map((word) => ({ word, about: '' }))];
    const lines = [
      ...(commands.length > 0
        ? [`offered=(${commands.map(described).join(' ')})`, '_describe command offered']
        : []),
      `offered=(${place.flags.map(described).join(' ')})`,
      '_describe -o option offered',
      ...(place.takesFiles ? ['_files'] : []),
    ];
    return `        ${quoted(spaced(place.path))}) ${lines.join('; ')} ;;`;
  });
  return `#compdef mxproof
# zsh completion for mxproof: source <(mxproof completion zsh)
_mxproof() {
  local at= prev=$words[CURRENT-1] i
  local -a offered
  for ((i = 2; i < CURRENT; i++)); do
    case "$at $words[i]" in
      ${knownPaths(places)}) at+=" $words[i]" ;;
    esac
  done
  case "$at $prev" in
${valueCases(places, (takes) => {
  if (takes === 'file') return '_files';
  return takes === 'any' ? 'return' : `compadd -- ${takes.map(quoted).join(' ')}`;
})}
    *)
      case "$at" in
${cases.join('\n')}
      esac ;;
  esac
}
if [ "$funcstack[1]" = _mxproof ]; then _mxproof "$@"; else compdef _mxproof mxproof; fi
`;
}

export function fishScript(places: readonly Place[]): string {
  const lines = places.flatMap(({ path, commands, flags, values, takesFiles }) => {
    const here = `complete -c mxproof -n ${quoted(`__mxproof_at ${path}`.trim())}`;
    return [
      ...(takesFiles ? [] : [`${here} -f`]),
      ...commands.map(({ word, about }) => `${here} -a ${quoted(word)} -d ${quoted(about)}`),
      ...values.map((word) => `${here} -a ${quoted(word)}`),
      ...flags.map(
        ({ word, about, takes }) => `${here} -l ${word.slice(2)}${fishValue(takes)} -d ${quoted(about)}`,
      ),
    ];
  });
  return `# fish completion for mxproof: mxproof completion fish | source
function __mxproof_at
  set -l at
  for word in (commandline -opc)[2..]
    switch "$at $word"
      case ${places
        .filter(({ path }) => path !== '')
        .map(({ path }) => quoted(spaced(path)))
        .join(' ')}
        set at "$at $word"
    end
  end
  test (string trim -- "$at") = "$argv"
end
${lines.join('\n')}
`;
}

function fishValue(takes: Flag['takes']): string {
  if (takes === 'none') return '';
  if (takes === 'file') return ' -r -F';
  return takes === 'any' ? ' -x' : ` -x -a ${quoted(takes.join(' '))}`;
}

/** The case for each option that takes a value: `' list results --state') …`. */
function valueCases(
  places: readonly Place[],
  act: (takes: Exclude<Flag['takes'], 'none'>) => string,
): string {
  return places
    .flatMap(({ path, flags }) =>
      flags.flatMap(({ word, takes }) =>
        takes === 'none' ? [] : [`    ${quoted(`${spaced(path)} ${word}`)}) ${act(takes)} ;;`],
      ),
    )
    .join('\n');
}

function knownPaths(places: readonly Place[]): string {
  return places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(spaced(path)))
    .join(' | ');
}

function wordsOf({ commands, values, flags }: Place): string[] {
  return [...commands.map(({ word }) => word), ...values, ...flags.map(({ word }) => word)];
}

/** With the blank before each word that the walk puts there. */
function spaced(path: string): string {
  return path === '' ? '' : ` ${path}`;
}

function described({ word, about }: { readonly word: string; readonly about: string }): string {
  return quoted(`${word}:${about}`);
}

/** Understood by all three shells. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
