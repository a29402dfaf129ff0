// Writes what the answers to an operator must be, field by field: the client looks at each before a caller sees it.
// Promise: every field that the document names is checked by the type that it has there.

export interface AnswerSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly items?: AnswerSchema;
  readonly anyOf?: readonly AnswerSchema[];
  readonly properties?: Readonly<Record<string, AnswerSchema>>;
  readonly additionalProperties?: false | AnswerSchema;
}

const WORD = /^[a-z0-9_-]+$/;
const BANNER = `// Written by scripts/client-types.ts from openapi-admin.json: change the routes, not this file.
import {
  isAnyOf, isFlag, isHttps, isId, isListOf, isNullOr, isNumber, isObject, isRecordOf, isText, isWord, type Whole,
} from '../shapes.ts';
import type * as types from './admin-types.ts';
`;

/** A constant for each of the named answers, after those of the shapes that it is made of. */
export function shapesOf(
  schemas: Readonly<Record<string, AnswerSchema>>,
  answers: ReadonlySet<string>,
): string {
  const written = new Map<string, string>();

  function write(name: string): void {
    if (written.has(name)) return;
    const fields = fieldsOf(schemas[name]!);
    const visibility = answers.has(name) ? 'export ' : '';
    written.set(name, `${visibility}const ${constantOf(name)}: Whole<types.${name}> = ${fields};\n`);
  }

  function fieldsOf({ properties = {} }: AnswerSchema): string {
    const fields = Object.entries(properties).map(([name, schema]) => `  ${name}: ${checkOf(name, schema)},`);
    return `{\n${fields.join('\n')}\n}`;
  }

  function checkOf(field: string, schema: AnswerSchema): string {
    const { $ref, anyOf, type } = schema;
    if ($ref !== undefined) {
      const name = $ref.slice($ref.lastIndexOf('/') + 1);
      if (schemas[name]!.type !== 'object') return checkOf(field, schemas[name]!);
      write(name);
      return `isObject(${constantOf(name)})`;
    }
    const forms =
      anyOf ?? (typeof type === 'object' ? type.map((one) => ({ ...schema, type: one })) : [schema]);
    const checks = forms.filter((form) => form.type !== 'null').map((form) => plainCheckOf(field, form));
    const check = checks.length > 1 ? `isAnyOf(${[...new Set(checks)].join(', ')})` : checks[0]!;
    return checks.length < forms.length ? `isNullOr(${check})` : check;
  }

  function plainCheckOf(field: string, schema: AnswerSchema): string {
    const { type, items, additionalProperties, enum: all, pattern } = schema;
    switch (type) {
      case 'object':
        return additionalProperties
          ? `isRecordOf(${checkOf(field, additionalProperties)})`
          : `isObject(${fieldsOf(schema).replaceAll('\n', '\n  ')})`;
      case 'array':
        return `isListOf(${checkOf(field, items!)})`;
      case 'boolean':
        return 'isFlag';
      case 'integer':
        return /(?:^|_)id$/.test(field) ? 'isId' : 'isNumber';
      case 'number':
        return 'isNumber';
      case 'string':
        if (pattern === '^https://') return 'isHttps';
        // A later service may have words that are not known yet.
        return all?.every((word) => WORD.test(word)) ? 'isWord' : 'isText';
      default:
        throw new Error(`${field}: no check for ${JSON.stringify(schema)}`);
    }
  }

  for (const name of answers) write(name);
  return BANNER + [...written.values()].join('');
}

const constantOf = (name: string) => name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase();
