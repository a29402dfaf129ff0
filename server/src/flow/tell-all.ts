// One observer of the wire for several that count it. Promise: where there is none, the engine has none either.
import type { WireObserver } from '@mxproof/engine';

export function tellAll(given: readonly (WireObserver | undefined)[]): WireObserver | undefined {
  const observers = given.filter((each) => each !== undefined);
  if (observers.length <= 1) return observers[0];
  return {
    session(...told) {
      for (const each of observers) each.session(...told);
    },
    recipient(...told) {
      for (const each of observers) each.recipient(...told);
    },
    refusal(...told) {
      for (const each of observers) each.refusal(...told);
    },
  };
}
