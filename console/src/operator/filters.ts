// What the address of an operator's page says: filters and a page, so that it can be sent to a colleague.
import { useNavigate, useSearch } from '@tanstack/react-router';

/** As it may be typed, and as a page reads it: `filtersOf`. */
export interface Filters {
  readonly q?: string;
  readonly account?: number;
  readonly status?: string;
  readonly state?: string;
  readonly action?: string;
  readonly actor?: string;
  /** A day, in the reader's own time zone: `2026-11-15`. */
  readonly since?: string;
  readonly hours?: number;
  readonly page?: number;
  /** The dialog for a new one is open. */
  readonly make?: boolean;
}

const NUMBERS: readonly string[] = ['account', 'hours', 'page'] satisfies (keyof Filters)[];
const MAX_CHARACTERS = 200;
const PAGE_ROWS = 50;

/** What cannot be meant is left out. */
export function filtersOf(given: Readonly<Record<string, unknown>>): Filters {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const read = NUMBERS.includes(name) ? Number(value) : String(value ?? '').slice(0, MAX_CHARACTERS);
      const isMeant = typeof read === 'string' ? read !== '' : Number.isSafeInteger(read) && read > 0;
      return isMeant ? [[name, name === 'make' ? value === true : read]] : [];
    }),
  );
}

/** Of this page, and how to change some of them; another question begins at its first page. */
export function useFilters(): [Filters, (changed: Filters) => void] {
  const filters = filtersOf(useSearch({ strict: false }));
  const navigate = useNavigate();
  const show = (changed: Filters) =>
    void navigate({ to: '.', search: filtersOf({ ...filters, page: undefined, ...changed }), replace: true });
  return [filters, show];
}

export const pageOf = ({ page = 1 }: Filters) => ({ offset: (page - 1) * PAGE_ROWS, limit: PAGE_ROWS });

export const hasMore = (filters: Filters, rows: number, total: number | null): boolean =>
  total === null ? rows === PAGE_ROWS : pageOf(filters).offset + rows < total;
