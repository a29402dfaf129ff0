// Says once what many operations of the OpenAPI document have in common: headers, refusals and parameters become components.
// Promise: `expandParts` gives back what was shared, so that the document says the same as before.

type Part = Readonly<Record<string, unknown>>;
interface Response extends Part {
  readonly headers?: Readonly<Record<string, Part>>;
}
interface Operation extends Part {
  readonly parameters?: readonly Part[];
  readonly responses: Readonly<Record<string, Response>>;
}
type Kind = 'headers' | 'responses' | 'parameters';
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: Readonly<Record<string, object>>;
}

/** It lists the codes of its response. */
const CODE_HEADER = 'MXProof-Error';
/** Refusals for more reasons stay where they are: their name would be a sentence. */
const MAX_NAMED_CODES = 4;

/** Headers first: a shared response refers to them. */
export function shareParts<Shared extends object>(document: Shared): Shared {
  const shared = (['headers', 'responses', 'parameters'] as const).reduce(
    share,
    document as unknown as Document,
  );
  return shared as unknown as Shared;
}

/** The document with every part in the operation that it belongs to; schemas stay named. */
export function expandParts<Shared extends object>(document: Shared): Shared {
  const { components } = document as unknown as Document;
  const { headers = {}, responses = {}, parameters = {}, ...others } = components;
  const all = { headers, responses, parameters } as Record<Kind, Record<string, Part>>;
  const found = (kind: Kind, part: Part) =>
    typeof part.$ref === 'string' ? all[kind][part.$ref.slice(part.$ref.lastIndexOf('/') + 1)]! : part;
  const expanded = (['responses', 'headers', 'parameters'] as const).reduce<Document>(
    (before, kind) => eachPart(before, kind, (part) => found(kind, part)),
    { ...(document as unknown as Document), components: others },
  );
  return expanded as unknown as Shared;
}

/** Of parts with the same name, the one that is used most. Those that are used once stay, and those without a name. */
function share(document: Document, kind: Kind): Document {
  const uses = new Map<string, Map<string, number>>();
  eachPart(document, kind, (part, name) => {
    const counts = uses.get(name) ?? new Map<string, number>();
    const text = JSON.stringify(part);
    uses.set(name, counts.set(text, (counts.get(text) ?? 0) + 1));
    return part;
  });
  uses.delete('');
  const shared = new Map<string, string>();
  for (const [name, counts] of uses) {
    const [text, most] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best));
    if (most > 1) shared.set(name, text);
  }
  const changed = eachPart(document, kind, (part, name) =>
    shared.get(name) === JSON.stringify(part) ? { $ref: `#/components/${kind}/${name}` } : part,
  );
  const parts = Object.fromEntries([...shared].map(([name, text]) => [name, JSON.parse(text) as Part]));
  return { ...changed, components: { ...document.components, [kind]: parts } };
}

function eachPart(document: Document, kind: Kind, change: (part: Part, name: string) => Part): Document {
  const inResponse = (response: Response): Response => {
    if (kind === 'responses') return change(response, nameOf(response));
    return kind === 'headers' && response.headers
      ? {
          ...response,
          headers: mapValues(response.headers, (part, name) =>
            change(part, name === CODE_HEADER ? '' : name),
          ),
        }
      : response;
  };
  const inOperation = (operation: Operation): Operation => ({
    ...operation,
    ...(kind === 'parameters' &&
      operation.parameters && {
        parameters: operation.parameters.map((each) => change(each, String(each.name))),
      }),
    responses: mapValues(operation.responses, inResponse),
  });
  return { ...document, paths: mapValues(document.paths, (methods) => mapValues(methods, inOperation)) };
}

/** A refusal by its codes: `KeyAccessOrForeignPage`. Empty: it stays where it is. */
function nameOf({ headers }: Response): string {
  const { schema } = (headers?.[CODE_HEADER] ?? {}) as { schema?: { enum?: readonly string[] } };
  const codes = schema?.enum ?? [];
  if (codes.length > MAX_NAMED_CODES) return '';
  return codes
    .map((code) => code.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase()))
    .join('Or');
}

function mapValues<From, To>(
  from: Readonly<Record<string, From>>,
  change: (value: From, key: string) => To,
): Record<string, To> {
  return Object.fromEntries(Object.entries(from).map(([key, value]) => [key, change(value, key)]));
}
