// A page of commands that were run, with what they said and how long they took.
// Promise: a command stands there as it was run; one that fails ends the script; keys and links are cut.
import { cut, Terminal } from './terminal.ts';

const SHOWN_LINES = 14;
const SHOWN_COLUMNS = 220;
/** Podman's, where there is no systemd to run its health checks. */
const NOISE = /level=error msg=.*healthcheck/;

interface Section {
  readonly title: string;
  readonly about: string;
  readonly lines: string[];
  seconds: number;
}

export const secondsText = (seconds: number) => `${seconds.toFixed(seconds < 10 ? 1 : 0)} s`;

export class Transcript {
  readonly #sections: Section[] = [];
  readonly #cwd: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #tidy: (text: string) => string;

  /** @param tidy takes out what says nothing to a reader, such as the path of a folder that is gone */
  constructor(cwd: string, env: NodeJS.ProcessEnv, tidy: (text: string) => string) {
    this.#cwd = cwd;
    this.#env = env;
    this.#tidy = tidy;
  }

  async section(title: string, about: string, steps: () => Promise<void>): Promise<void> {
    const made: Section = { title, about, lines: [], seconds: 0 };
    this.#sections.push(made);
    const sinceMs = performance.now();
    await steps();
    made.seconds = (performance.now() - sinceMs) / 1_000;
    console.log(`${title}: ${secondsText(made.seconds)}`);
  }

  write(...lines: string[]): void {
    this.#sections.at(-1)!.lines.push(...lines);
  }

  /** @param shown which of its lines are; all, unless told */
  async run(command: string, shown = /\S/): Promise<string> {
    const terminal = new Terminal(this.#cwd, this.#env);
    const sinceMs = performance.now();
    await terminal.run(command);
    const took = secondsText((performance.now() - sinceMs) / 1_000);
    const lines = terminal.raw.split('\n').filter((line) => shown.test(line) && !NOISE.test(line));
    this.write(`$ ${this.#tidy(command)}`, ...this.#shorten(lines), `# ${took}`, '');
    return terminal.raw;
  }

  /** For what is not typed. */
  async waited(what: string, work: () => Promise<unknown>): Promise<number> {
    const sinceMs = performance.now();
    await work();
    const seconds = (performance.now() - sinceMs) / 1_000;
    this.write(`# ${what}: ${secondsText(seconds)}`, '');
    return seconds;
  }

  #shorten(lines: readonly string[]): string[] {
    const short = lines
      .map((line) => this.#tidy(cut(line)))
      .map((line) => (line.length > SHOWN_COLUMNS ? `${line.slice(0, SHOWN_COLUMNS)}…` : line));
    return short.length > SHOWN_LINES ? [...short.slice(0, SHOWN_LINES), '…'] : short;
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
