// Counters and histograms that cost a few map lookups to count in, and are read when they are scraped.
// Promise: the number of series is bounded by the words of the labels, whatever is counted.
import type { Family, FamilyText, Sample } from './family.ts';
import type { Words } from './words.ts';

type Labels = readonly (readonly [name: string, words: Words])[];

/** A counter with up to three labels. */
export class CountTable implements Family {
  readonly name: string;
  readonly help: string;
  readonly type = 'counter';
  readonly of = 'node';
  readonly labels: readonly string[];
  readonly #words: readonly Words[];
  /** By the places of its words, as the digits of one number. */
  readonly #counts = new Map<number, number>();

  /** `zeros`: series that are there before anything is counted. */
  constructor(
    { name, help }: Omit<FamilyText, 'type'>,
    labels: Labels,
    zeros: readonly (readonly string[])[] = [],
  ) {
    this.name = name;
    this.help = help;
    this.labels = labels.map(([label]) => label);
    this.#words = labels.map(([, words]) => words);
    for (const [first, second, third] of zeros) this.#counts.set(this.#key(first!, second, third), 0);
  }

  get maxSeries(): number {
    return this.#words.reduce((product, { size }) => product * size, 1);
  }

  add(first: string, second?: string, third?: string): void {
    const key = this.#key(first, second, third);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  #key(first: string, second: string | undefined, third: string | undefined): number {
    const [a, b, c] = this.#words;
    let key = a!.placeOf(first);
    if (b !== undefined) key = key * b.size + b.placeOf(second!);
    if (c !== undefined) key = key * c.size + c.placeOf(third!);
    return key;
  }

  samples(): Sample[] {
    return [...this.#counts].map(([key, value]) => ({ labels: this.#labelsOf(key), value }));
  }

  #labelsOf(key: number): Record<string, string> {
    const pairs: [string, string][] = [];
    let rest = key;
    for (let at = this.#words.length - 1; at >= 0; at--) {
      const words = this.#words[at]!;
      pairs.unshift([this.labels[at]!, words.at(rest % words.size)]);
      rest = Math.floor(rest / words.size);
    }
    return Object.fromEntries(pairs);
  }
}

interface Durations {
  /** By bucket, each without those before it; the last is for what is longer than all. */
  readonly counts: Float64Array;
  sum: number;
}

/** A histogram of seconds, with one label or none. */
export class DurationTable implements Family {
  readonly name: string;
  readonly help: string;
  readonly type = 'histogram';
  readonly of = 'node';
  readonly labels: readonly string[];
  readonly #words: Words | null;
  readonly #bounds: readonly number[];
  readonly #durations = new Map<number, Durations>();

  /** Every word that its label has by now is there before anything is counted. */
  constructor(
    { name, help }: Omit<FamilyText, 'type'>,
    bounds: readonly number[],
    label: Labels[number] | null = null,
  ) {
    this.name = name;
    this.help = help;
    this.#bounds = bounds;
    this.labels = label === null ? [] : [label[0]];
    this.#words = label === null ? null : label[1];
    const places = this.#words?.named().map((word) => this.#words!.placeOf(word)) ?? [0];
    for (const place of places) this.#at(place);
  }

  get maxSeries(): number {
    return (this.#words?.size ?? 1) * (this.#bounds.length + 3);
  }

  add(seconds: number, word?: string): void {
    const durations = this.#at(this.#words === null ? 0 : this.#words.placeOf(word!));
    const { length } = this.#bounds;
    let bucket = 0;
    while (bucket < length && seconds > this.#bounds[bucket]!) bucket += 1;
    durations.counts[bucket]! += 1;
    durations.sum += seconds;
  }

  #at(place: number): Durations {
    let durations = this.#durations.get(place);
    if (durations === undefined) {
      durations = { counts: new Float64Array(this.#bounds.length + 1), sum: 0 };
      this.#durations.set(place, durations);
    }
    return durations;
  }

  samples(): Sample[] {
    return [...this.#durations].flatMap(([place, { counts, sum }]) => {
      const labels = this.#words === null ? {} : { [this.labels[0]!]: this.#words.at(place) };
      let count = 0;
      const buckets = [...counts].map((more, at) => {
        count += more;
        const le = at < this.#bounds.length ? String(this.#bounds[at]) : '+Inf';
        return { metricName: `${this.name}_bucket`, labels: { ...labels, le }, value: count };
      });
      return [
        ...buckets,
        { metricName: `${this.name}_sum`, labels, value: sum },
        { metricName: `${this.name}_count`, labels, value: count },
      ];
    });
  }
}
