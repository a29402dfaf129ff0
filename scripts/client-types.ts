// Writes client/src/api-types.ts from openapi.json, client/src/admin/admin-types.ts and admin-shapes.ts from openapi-admin.json, and
// client/src/version.ts from package.json; with --check, says whether the committed ones are up to date.
// Promise: every shape the document names, and every query, body and response it does not name, is a type: none of the
// client's wire types is written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { expandParts } from '../server/src/http/openapi/share-parts.ts';
import { type AnswerSchema, shapesOf } from './client-shapes.ts';

type Schema = Record<string, unknown>;
interface Content {
  readonly content?: Record<string, { readonly schema: Schema }>;
}
interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Content;
  readonly responses: Record<string, Content>;
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

function read(file: string): Document {
  return expandParts(JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')) as Document);
}

async function typesOf(file: string): Promise<string> {
  const document = read(file);

  // `Error` is every language's own word.
  const { Error: ErrorBody, ...named } = document.components.schemas;
  const shapes: Record<string, Schema> = { ErrorBody: ErrorBody!, ...named };
  for (const operation of Object.values(document.paths).flatMap((methods) => Object.values(methods))) {
    if (operation.operationId === undefined) continue;
    const nameOf = (what: string) =>
      operation.operationId[0]!.toUpperCase() + operation.operationId.slice(1) + what;
    const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
    if (query.length > 0)
      shapes[nameOf('Query')] = {
        type: 'object',
        description: `Query of: ${operation.summary}.`,
        properties: Object.fromEntries(
          query.map(({ name, schema, description }) => [
            name,
            { ...schema, ...(description && { description }) },
          ]),
        ),
        required: query.filter(({ required }) => required).map(({ name }) => name),
      };
    const body = operation.requestBody?.content?.['application/json']?.schema;
    if (body !== undefined && !('$ref' in body)) shapes[nameOf('Body')] = body;
    for (const [status, { content }] of Object.entries(operation.responses)) {
      const answer = content?.['application/json']?.schema;
      if (status < '300' && status !== '204' && answer !== undefined && !('$ref' in answer))
        shapes[nameOf(`Answer${status}`)] = answer;
    }
  }

  const all = JSON.parse(
    JSON.stringify(shapes).replaceAll('#/components/schemas/', '#/definitions/'),
  ) as Record<string, JSONSchema>;
  for (const [name, shape] of Object.entries(all)) all[name] = { ...bare(shape), title: name };

  const text = await compile(
    { definitions: all, type: 'object', properties: {}, title: 'Unused' },
    'Unused',
    {
      additionalProperties: false,
      bannerComment: `// Written by scripts/client-types.ts from ${file}: change the routes, not this file. snake_case is the wire.`,
      unreachableDefinitions: true,
      enableConstEnums: false,
      style: { singleQuote: true, printWidth: 110 },
    },
  );
  return text
    .replace(/export interface Unused \{\}\n/, '')
    .replace(
      // What it was made from is in the document; which tool calls it what is noise.
      / \*\n \* This interface was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "\w+"\.\n/g,
      '',
    )
    .replace(
      /\/\*\*\n \* This (?:interface|type) was referenced by `Unused`'s JSON-Schema\n \* via the `definition` "\w+"\.\n \*\/\n/g,
      '',
    );
}

/** What the operator's client reads: the answers of all operations that it has, and a line of the trail. */
function adminShapes(): string {
  const { paths, components } = read('openapi-admin.json');
  const answers = Object.entries(paths)
    .filter(([path]) => path.startsWith('/admin/v1/'))
    .flatMap(([, { delete: _, ...methods }]) => Object.values(methods))
    .flatMap(({ responses }) => Object.entries(responses))
    .filter(([status]) => status < '300')
    .map(([, { content }]) => String(content!['application/json']!.schema.$ref).split('/').at(-1)!);
  return shapesOf(
    components.schemas as Record<string, AnswerSchema>,
    new Set([...answers, 'AdminAuditEntry']),
  );
}

/** Without what changes the type's form and not its meaning: bounds of arrays would become tuples, `$id` names. */
function bare(schema: unknown): JSONSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) =>
      key === '$id' || key === 'minItems' || key === 'maxItems' || key === 'examples' ? undefined : value,
    ),
  ) as JSONSchema;
}

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};
const files: Readonly<Record<string, string>> = {
  'api-types.ts': await typesOf('openapi.json'),
  'admin/admin-types.ts': await typesOf('openapi-admin.json'),
  'admin/admin-shapes.ts': adminShapes(),
  'version.ts': `// Written by scripts/client-types.ts from package.json.\nexport const VERSION = '${version}';\n`,
};
for (const [name, content] of Object.entries(files)) {
  const file = new URL(`../client/src/${name}`, import.meta.url);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, content);
    process.stdout.write(`${fileURLToPath(file)} written\n`);
  } else if (readCommitted(file) !== content) {
    process.stderr.write(
      `client/src/${name} is not up to date: run \`node scripts/client-types.ts\` and commit it.\n`,
    );
    process.exitCode = 1;
  }
}

function readCommitted(file: URL): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
