// The OpenAPI document as a page for people: static HTML, no scripts, no external resources.
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: unknown;
}
interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}
interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly schema: Schema;
    readonly description?: string;
  }[];
  readonly requestBody?: Content;
  readonly responses: Readonly<
    Record<
      string,
      Content & { readonly description: string; readonly headers?: Readonly<Record<string, unknown>> }
    >
  >;
}
type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Paths;
  readonly webhooks: Paths;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const STYLE = `
:root { color-scheme: light dark; --soft: color-mix(in srgb, currentColor 12%, transparent); }
body { font: 1rem/1.55 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
code, .path { font-family: ui-monospace, monospace; font-size: .92em; overflow-wrap: break-word; }
code { background: var(--soft); padding: .1em .3em; border-radius: .25em; }
section { border-top: 1px solid var(--soft); margin-top: 2rem; }
table { display: block; overflow-x: auto; border-collapse: collapse; width: 100%; margin: .75rem 0; }
caption { text-align: left; font-weight: 600; padding: .25rem 0; }
th, td { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--soft); }
th { font-weight: 500; }
nav ul { columns: 2 18rem; padding-left: 1.2rem; }
a { color: inherit; }`;

export function docsPage({ info, paths, webhooks, components }: OpenApiDocument): string {
  const operations = [...flatten(paths), ...flatten(webhooks)];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${html(info.title)} API</title>
<style>${STYLE}</style>
</head>
<body>
<header><h1>${html(info.title)} API</h1>${prose(info.description)}
<p>Version ${html(info.version)}, as an OpenAPI document: <a href="/v1/openapi.json">/v1/openapi.json</a></p></header>
<nav aria-label="Contents"><ul>
${operations.map(({ id, title, operation }) => `<li><a href="#${id}"><span class="path">${html(title)}</span></a> ${html(operation.summary)}</li>`).join('\n')}
<li><a href="#shapes">Shapes</a></li>
</ul></nav>
<main>
${operations.map(section).join('\n')}
<section id="shapes"><h2>Shapes</h2>
${Object.entries(components.schemas).map(shape).join('\n')}
</section>
</main>
</body>
</html>
`;
}

function flatten(paths: Paths) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const title = `${method.toUpperCase()} ${path}`;
      return { id: title.toLowerCase().replace(/[^a-z0-9]+/g, '-'), title, operation };
    }),
  );
}

function section({ id, title, operation }: ReturnType<typeof flatten>[number]): string {
  const { summary, description, parameters = [], requestBody, responses } = operation;
  const asked = parameters.map(({ name, in: place, schema, description: says }) => [
    code(name),
    place,
    typeOf(schema),
    inline(says ?? schema.description ?? '') + given(schema),
  ]);
  const answers = Object.entries(responses).map(
    ([status, { description: says, content = {}, headers = {} }]) => [
      code(status),
      Object.entries(content)
        .map(([type, { schema }]) => `${html(type)}: ${typeOf(schema)}`)
        .join('<br>'),
      inline(says),
      Object.keys(headers).map(code).join(' '),
    ],
  );
  return `<section id="${id}" aria-labelledby="${id}-h"><h2 id="${id}-h"><span class="path">${html(title)}</span></h2>
<p><strong>${html(summary)}.</strong> ${inline(description ?? '')}</p>
${table('Parameters', ['Name', 'In', 'Type', 'Meaning'], asked)}
${Object.values(requestBody?.content ?? {})
  .map(({ schema }) => (schema.properties ? fields('Body', schema) : `<p>Body: ${typeOf(schema)}</p>`))
  .join('')}
${table('Answers', ['Status', 'Body', 'Meaning', 'Headers'], answers)}</section>`;
}

function shape([name, schema]: [string, Schema]): string {
  return `<h3 id="shape-${html(name)}">${html(name)}</h3><p>${inline(schema.description ?? '')}</p>${fields('Fields', schema)}`;
}

function fields(title: string, schema: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).flatMap(([name, field]) => [
    [
      code(name),
      typeOf(field) + (schema.required?.includes(name) ? '' : ', optional'),
      inline(field.description ?? '') + given(field),
    ],
    ...Object.entries(field.properties ?? {}).map(([inner, each]) => [
      code(`${name}.${inner}`),
      typeOf(each),
      inline(each.description ?? ''),
    ]),
  ]);
  return table(title, ['Field', 'Type', 'Meaning'], rows);
}

function table(title: string, head: string[], rows: string[][]): string {
  if (rows.length === 0) return '';
  return `<table><caption>${title}</caption><thead><tr>${head.map((cell) => `<th scope="col">${cell}</th>`).join('')}</tr></thead><tbody>
${rows.map(([first, ...rest]) => `<tr><th scope="row">${first}</th>${rest.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')}
</tbody></table>`;
}

function typeOf(schema: Schema): string {
  if (schema.$ref) {
    const name = html(schema.$ref.split('/').at(-1)!);
    return `<a href="#shape-${name}">${name}</a>`;
  }
  if (schema.items) return `array of ${typeOf(schema.items)}`;
  if ('const' in schema) return code(JSON.stringify(schema.const));
  if (schema.enum) return schema.enum.map((word) => code(JSON.stringify(word))).join(' ');
  return html([schema.type ?? 'any'].flat().join(' or '));
}

const given = (schema: Schema) =>
  'default' in schema ? ` Default ${code(JSON.stringify(schema.default))}.` : '';
const code = (text: string) => `<code>${html(text)}</code>`;
const prose = (text: string) =>
  text
    .split('\n\n')
    .map((paragraph) => `<p>${inline(paragraph)}</p>`)
    .join('\n');
const inline = (text: string) => html(text).replace(/`([^`]+)`/g, '<code>$1</code>');
const html = (text: string) =>
  text.replace(/[&<>"]/g, (character) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[character] ?? '&quot;');
