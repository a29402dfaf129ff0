// What the service answers to the operator's pages, /operator/api. Types alone, for the service that writes it and the
// console that reads it; times are Unix seconds.

export interface OperatorSession {
  readonly expires_at: number;
}

export interface WireSources {
  /** By the service's clock. */
  readonly at: number;
  readonly pairs: readonly WireSourceHealth[];
  /** Pairs that are too many to be told. */
  readonly left_out: number;
}

export interface WireSourceCounts {
  /** Recipients, of which the others are parts; refusals may come before any recipient. */
  readonly asked: number;
  readonly accepted: number;
  readonly unknown_recipients: number;
  readonly deferred: number;
  readonly refused: Readonly<Record<WireRefusalKind, number>>;
}

export type WireRefusalKind = 'block' | 'rate' | 'ptr' | 'policy';

/** How one source fares at one provider. */
export interface WireSourceHealth {
  /** Empty: the machine's own address. */
  readonly source: string;
  readonly provider: string;
  readonly today: WireSourceCounts;
  readonly last_week: WireSourceCounts;
  readonly refusal: {
    readonly kind: WireRefusalKind;
    /** A stranger's words. */
    readonly reply: string;
    /** https, and of a known operator; null: none. */
    readonly link: string | null;
    readonly at: number;
  } | null;
  readonly rest: {
    readonly since: number;
    /** Null: until it is resumed. */
    readonly until: number | null;
    readonly by: 'refusals' | 'operator';
  } | null;
  readonly warm_up: {
    readonly day: number;
    readonly per_day: number;
    readonly used: number;
    readonly held_back: string | null;
  } | null;
}

export interface WireDoctor {
  /** By the service's clock. */
  readonly at: number;
  readonly reports: readonly WireDoctorReport[];
  /** When the newest backup was made; null: there is none. */
  readonly backup_at: number | null;
  /** Machines that are too many to be told. */
  readonly left_out: number;
}

export type WireCheckStatus = 'ok' | 'warning' | 'failure' | 'skipped';

export interface WireDoctorReport {
  readonly machine: string;
  readonly ran_at: number;
  readonly ok: boolean;
  readonly checks: readonly WireCheck[];
}

export interface WireCheck {
  readonly id: string;
  /** Of the report, as its terminal has them; empty: none. */
  readonly group: string;
  readonly title: string;
  readonly status: WireCheckStatus;
  readonly detail: string;
  readonly advice: string | null;
}
