// A page of commands that were run, with what they said and how long they took.
// Promise: a command stands there as it was run; one that fails ends the script; keys and links are cut; what was started with
// start() is ended by close().
import { cut, Terminal } from './terminal.ts';

const SHOWN_LINES = 14;
const SHOWN_COLUMNS = 260;
/** Podman's, where there is no systemd to run its health checks. */
const NOISE = /level=error msg=.*healthcheck/;

const COLOURS = /\u001b\[[\d;]*m/g;

interface Section {
  readonly title: string;
  readonly about: string;
  readonly lines: string[];
  seconds: number;
}

export const secondsText = (seconds: number) => `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;

export class Transcript {
  /** What commands are run with. */
  env: Record<string, string> = {};
  readonly #sections: Section[] = [];
  readonly #terminals: Terminal[] = [];
  readonly #cwd: string;
  readonly #tidy: (text: string) => string;

  /** @param tidy takes out what says nothing to a reader, such as the path of a folder that is gone */
  constructor(cwd: string, tidy: (text: string) => string) {
    this.#cwd = cwd;
    this.#tidy = tidy;
  }

  async section(title: string, about: string, steps: () => Promise<void>): Promise<void> {
    const made: Section = { title, about, lines: [], seconds: 0 };
    this.#sections.push(made);
    made.seconds = await secondsOf(steps);
    console.log(`${title}: ${secondsText(made.seconds)}`);
  }

  write(...lines: string[]): void {
    this.#sections.at(-1)!.lines.push(...lines.map((line) => this.#tidy(cut(line))));
  }

  set(name: string, value: string): void {
    this.env[name] = value;
    this.write(`$ export ${name}='${value}'`);
  }

  /** @param shown which of its lines are; all, unless told */
  async run(command: string, shown = /\S/): Promise<string> {
    const terminal = new Terminal(this.#cwd, this.env);
    const took = await secondsOf(() => terminal.run(command));
    this.write(`$ ${command}`, ...this.#shorten(terminal, shown), `# ${secondsText(took)}`, '');
    return terminal.raw;
  }

  /** A process that goes on, once it has said what says that it is ready. */
  async start(command: string, said: RegExp, shown: RegExp = said): Promise<Terminal> {
    const terminal = new Terminal(this.#cwd, this.env);
    this.#terminals.push(terminal);
    const took = await secondsOf(() => terminal.runUntil(command, said));
    const ready = `# ready after ${secondsText(took)}`;
    this.write(`$ ${command} &`, ...this.#shorten(terminal, shown), ready, '');
    return terminal;
  }

  async close(): Promise<void> {
    for (const terminal of this.#terminals.splice(0).reverse()) await terminal.close();
  }

  /** For what is not typed. */
  async waited(what: string, work: () => Promise<unknown>): Promise<number> {
    const seconds = await secondsOf(work);
    this.write(`# ${what}: ${secondsText(seconds)}`, '');
    return seconds;
  }

  #shorten({ raw }: Terminal, shown: RegExp): string[] {
    const lines = raw
      .replaceAll(COLOURS, '')
      .split('\n')
      .filter((line) => /\S/.test(line) && shown.test(line) && !NOISE.test(line))
      .map((line) => this.#tidy(cut(line)))
      .map((line) => (line.length > SHOWN_COLUMNS ? `${line.slice(0, SHOWN_COLUMNS)}…` : line));
    return lines.length > SHOWN_LINES ? [...lines.slice(0, SHOWN_LINES), '…'] : lines;
  }

  /** How long each section took. */
  times(): string {
    const rows = this.#sections.map(
      ({ title, seconds }) => `| [${title}](#${anchor(title)}) | ${secondsText(seconds)} |`,
    );
    return ['| step | time |', '|---|---|', ...rows].join('\n');
  }

  page(): string {
    return this.#sections
      .map(
        ({ title, about, lines }) =>
          `## ${title}\n\n${about}\n\n\`\`\`console\n${lines.join('\n').trim()}\n\`\`\`\n`,
      )
      .join('\n');
  }
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const sinceMs = performance.now();
  await work();
  return (performance.now() - sinceMs) / 1_000;
}

const anchor = (title: string) =>
  title
    .toLowerCase()
    .replaceAll(/[^\w ]/g, '')
    .replaceAll(' ', '-');
