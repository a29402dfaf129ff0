// The payer and the domain that something is asked for, where they decide nothing. For tests.
export const ANYONE = { payer: '1', domain: 'a.example' };
/** A whole session turned away in plain words, before a recipient was named. */
export const CERTAINLY = { ...ANYONE, isToAll: true, isCertain: true };
