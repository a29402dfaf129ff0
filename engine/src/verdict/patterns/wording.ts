// Wordings written as word lists, compiled to one regular expression. Promise: each has an example that it matches and a
// counter-example that comes close and does not (wording.test.ts holds both).

export interface Wording {
  /** The source of a regular expression, made by `words`. */
  readonly match: string;
  /** Composed, as a mail server would say it; the row's `seen` is a real one. */
  readonly example: string;
  readonly counterExample: string;
}

/** Regular expression text in which a list stands for any one of its words: `${['is', 'was']}? not`. */
export function words(text: TemplateStringsArray, ...lists: readonly (readonly string[])[]): string {
  return String.raw(text, ...lists.map((list) => `(?:${list.join('|')})`));
}

export function anyOf(wordings: readonly Wording[]): RegExp {
  return new RegExp(wordings.map(({ match }) => match).join('|'));
}
