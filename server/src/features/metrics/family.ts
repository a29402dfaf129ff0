// What a family of metrics is: its name and meaning, and where its samples come from.

export interface Sample {
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
  /** Of a histogram: the name of this part of it. */
  readonly metricName?: string;
}

export interface Family {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly labels: readonly string[];
  /** `database`: the same on every node, so to be taken once. */
  readonly of: 'node' | 'database';
  /** Read when it is scraped; empty: it is left out. */
  samples(): readonly Sample[];
}

export type FamilyText = Omit<Family, 'samples' | 'of' | 'labels'>;
