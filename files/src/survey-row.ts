// Counts the rows of a table, and hands over every address of their cells, several of one cell too.

import { cellAddresses } from './cell-addresses.ts';
import type { Survey, SurveyHandlers } from './table.ts';

export class RowSurveyor {
  readonly #columns: readonly number[];
  readonly #handlers: SurveyHandlers;
  #rows = 0;
  #withoutAddress = 0;
  #withMore = 0;

  /** `columns`: those of addresses. */
  constructor(columns: readonly number[], handlers: SurveyHandlers) {
    this.#columns = columns;
    this.#handlers = handlers;
  }

  row(number: number, cellAt: (column: number) => string): void {
    const { onAddress, onOther } = this.#handlers;
    this.#rows += 1;
    let hasAddress = false;
    for (const column of this.#columns) {
      const cell = cellAt(column);
      const { first, others, isAddress } = cellAddresses(cell);
      if (first === null || !isAddress) {
        onOther?.(cell, number);
        continue;
      }
      hasAddress = true;
      if (others.length > 0) this.#withMore += 1;
      onAddress(first, number, cellAt);
      for (const other of others) onAddress(other, number, cellAt);
    }
    if (!hasAddress) this.#withoutAddress += 1;
  }

  result(): { -readonly [Count in keyof Survey]: Survey[Count] } {
    return { rows: this.#rows, withoutAddress: this.#withoutAddress, withMore: this.#withMore };
  }
}
