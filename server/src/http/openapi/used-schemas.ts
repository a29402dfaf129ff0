// Of two documents each has the shapes that it uses.

/** Every refusal has them. */
const ALWAYS = ['Error', 'ErrorCode'];

interface Document {
  readonly components?: { readonly schemas?: Readonly<Record<string, object>> };
}

/** Swagger knows the shapes of both documents: what nothing in this one refers to is left out, but for `also`, which only words describe. */
export function usedSchemas<Given extends object>(document: Given, also: readonly string[] = []): Given {
  const { components, ...rest } = document as Document;
  const all = components?.schemas ?? {};
  const used = new Set([...ALWAYS, ...also]);
  const look = (part: unknown) => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g))
      if (!used.has(name!)) {
        used.add(name!);
        look(all[name!] ?? {});
      }
  };
  look(rest);
  const schemas = Object.fromEntries(Object.entries(all).filter(([name]) => used.has(name)));
  return { ...document, components: { ...components, schemas } };
}
