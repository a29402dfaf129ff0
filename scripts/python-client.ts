// Writes what of the Python client follows from something else; with --check, says whether the committed files are up to date.
//   _types.py, _admin_types.py     the shapes and words of openapi.json; of openapi-admin.json, those of the first imported
//   _async.py, _admin_async.py     AsyncMXProof and AsyncAdminClient, from MXProof in _sync.py and AdminClient in _admin_sync.py
//   _version.py                    the workspace's version
// Promise: no shape of an answer, no method of an asynchronous client and no version is written by hand.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expandParts } from '../server/src/http/openapi/share-parts.ts';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly description?: string;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly schema: Schema }[];
}
interface Document {
  readonly paths: Record<string, Record<string, Operation>>;
  readonly components: { readonly schemas: Record<string, Schema> };
}

const ROOT = new URL('..', import.meta.url);
const PACKAGE = new URL('clients/python/src/mxproof/', ROOT);
const WIDTH = 110;
const INDENT = '    ';
/** What must not be shown by accident, as by printing an answer. */
const SECRETS = new Set([
  'api_key',
  'webhook_secret',
  'proof',
  'NewHook.url',
  'InvitedMember.link',
  'SignInLink.url',
]);
/** By their words, sorted: whichever route they are seen at first. */
const OWN_NAMES: Readonly<Record<string, string>> = {
  'delivered,failed,pending': 'CallbackState',
  'credits.low,list.done,list.failed,list.paused': 'WebhookEventType',
  'mailgun,postmark,sendgrid,ses': 'SendingService',
  'bounced,complained,delivered': 'MailOutcome',
  'deliverable,undeliverable': 'WrongState',
  'credits.low,list.done,list.failed,list.paused,test': 'DeliveryEvent',
  'checked_at,detail,provider,suggestion': 'Include',
  'checked_at,detail,estimate,provider,suggestion,suppressed': 'ResultInclude',
  'email,file,group,paused,retention': 'QueryInclude',
  'retention,settings': 'AccountInclude',
  'active,suspended': 'AccountStatus',
  'read,write': 'AdminScope',
  'alive,lost,stopped': 'NodeState',
  'checks,http': 'NodeRole',
  'block,policy,ptr,rate': 'SourceRefusalKind',
  'operator,refusals': 'RestedBy',
  'failure,ok,skipped,warning': 'CheckStatus',
};
const KEYWORDS = new Set(['from', 'class', 'def', 'in', 'is', 'pass', 'import', 'global', 'lambda']);

function read(path: string): string {
  return readFileSync(new URL(path, ROOT), 'utf8');
}

function readOr(file: URL, otherwise: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}

interface Module {
  readonly text: string;
  readonly names: ReadonlySet<string>;
  /** By their schema. */
  readonly schemas: ReadonlyMap<string, string>;
  /** By their words. */
  readonly aliases: ReadonlyMap<string, string>;
}

const NOTHING: Module = { text: '', names: new Set(), schemas: new Map(), aliases: new Map() };

/**
 * Frozen dataclasses for objects, Literals for words. Inline ones are named after the field they are first seen in.
 * @param known what another module has already, which is imported from it
 */
function types(path: string, doc: string, known: Module = NOTHING): Module {
  const { components, paths } = expandParts(JSON.parse(read(path)) as Document);
  const names = new Set<string>();
  const schemas = new Map<string, string>();
  const aliases = new Map<string, string>();
  const imported = new Set<string>();
  const written: string[] = [];
  const words: string[] = [];

  // Named ones first: an inline one is not to take their names.
  const named = Object.entries(components.schemas).filter(([name, schema]) => {
    const isKnown = known.schemas.get(JSON.stringify(schema)) === className(name);
    (isKnown ? imported : names).add(className(name));
    schemas.set(JSON.stringify(schema), className(name));
    return !isKnown;
  });
  for (const [name, schema] of named)
    if (schema.enum !== undefined) alias(name, schema.enum as string[], schema.description);
  for (const [name, schema] of named) if (schema.enum === undefined) shape(className(name), schema);
  // What the results are written in is the client's own affair.
  for (const operation of Object.values(paths).flatMap((methods) => Object.values(methods)))
    for (const { name, in: place, schema } of operation.parameters ?? [])
      if (place === 'query' && name !== 'format') hint(schema, 'Query', name);

  const text = [
    `# Written by scripts/python-client.ts from ${path}: change the routes, not this file.`,
    doc,
    '',
    'from __future__ import annotations',
    '',
    'from dataclasses import dataclass, field',
    'from typing import Literal',
    '',
    ...(imported.size === 0 ? [] : [`from ._types import (\n${lines([...imported])})`, '']),
    `__all__ = [\n${lines([...names, ...imported].map((name) => `"${name}"`))}]`,
    '',
    words.join('\n\n'),
    '',
    written.join('\n\n'),
    '',
  ].join('\n');
  return { text, names, schemas, aliases };

  function shape(name: string, schema: Schema): void {
    const fields = Object.entries(schema.properties ?? {}).map(([key, value]) => {
      const isRequired = schema.required?.includes(key) ?? false;
      const type = hint(value, name, key);
      const isOptional = !isRequired && !type.endsWith('| None');
      const text = `${KEYWORDS.has(key) ? `${key}_` : key}: ${type}${isOptional ? ' | None' : ''}`;
      const settings = [
        ...(isRequired ? [] : ['default=None']),
        ...(SECRETS.has(key) || SECRETS.has(`${name}.${key}`) ? ['repr=False'] : []),
      ];
      const given =
        settings.length === 0
          ? ''
          : settings[0] === 'default=None' && settings.length === 1
            ? ' = None'
            : ` = field(${settings.join(', ')})`;
      return { isRequired, text: `${text}${given}`, about: value.description };
    });
    const lines = [...fields.filter((each) => each.isRequired), ...fields.filter((each) => !each.isRequired)]
      .map(({ text, about }) => `${INDENT}${text}\n${about === undefined ? '' : docstring(about, INDENT)}`)
      .join('')
      .trimEnd();
    written.push(
      `\n@dataclass(frozen=True, slots=True)\nclass ${name}:\n${
        schema.description === undefined ? '' : `${docstring(schema.description, INDENT)}\n`
      }${lines}`,
    );
  }

  function hint(schema: Schema, owner: string, key: string): string {
    if (schema.$ref !== undefined) return className(schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1));
    if (typeof schema.const === 'string') return `Literal[${JSON.stringify(schema.const)}]`;
    const parts = schema.anyOf ?? [];
    if (parts.length > 0) return parts.map((part) => hint(part, owner, key)).join(' | ');
    const kinds = [schema.type].flat();
    const isNullable = kinds.includes('null');
    const kind = kinds.find((each) => each !== 'null');
    if (kind === undefined && isNullable) return 'None';
    return `${plain(kind, schema, owner, key)}${isNullable ? ' | None' : ''}`;
  }

  function plain(kind: string | undefined, schema: Schema, owner: string, key: string): string {
    if (kind === 'string' && schema.enum !== undefined) {
      const some = schema.enum.filter((word) => word !== '' && word !== null) as string[];
      if (some.length === 1) return `Literal[${JSON.stringify(some[0])}]`;
      const name = alias(key, some, undefined, owner);
      return !schema.enum.includes('') ? name : `${name} | Literal[""]`;
    }
    if (kind === 'boolean' && schema.enum !== undefined) return 'Literal[True]';
    if (kind === 'string') return 'str';
    if (kind === 'integer') return 'int';
    if (kind === 'number') return 'float';
    if (kind === 'boolean') return 'bool';
    if (kind === 'array') return `list[${hint(schema.items!, owner, key.replace(/s$/, ''))}]`;
    if (kind !== 'object') throw new Error(`${owner}.${key} has a type that Python is not told of: ${kind}`);
    if (typeof schema.additionalProperties === 'object')
      return `dict[str, ${hint(schema.additionalProperties, owner, key)}]`;
    const fields = Object.values(schema.properties ?? {});
    // Not told what they are one by one: counts by word.
    if (fields.every(({ type, description }) => type === 'integer' && description === undefined))
      return 'dict[str, int]';
    const same = JSON.stringify([schema.properties, schema.required]);
    const other = known.schemas.get(same);
    if (other !== undefined) imported.add(other);
    const found = schemas.get(same) ?? other;
    if (found !== undefined) return found;
    const name = `${owner}${pascal(key)}`;
    names.add(name);
    schemas.set(same, name);
    shape(name, schema);
    return name;
  }

  /** The first to have a field's name gets it as it is. */
  function alias(key: string, values: readonly string[], about?: string, owner = ''): string {
    const same = [...values].sort().join();
    const other = known.aliases.get(same);
    if (other !== undefined) imported.add(other);
    const found = aliases.get(same) ?? other;
    if (found !== undefined) return found;
    const short = pascal(key);
    const isTaken =
      names.has(short) ||
      known.names.has(short) ||
      KEYWORDS.has(key) ||
      Object.values(OWN_NAMES).includes(short);
    const name = OWN_NAMES[same] ?? (isTaken && owner !== '' ? `${owner}${short}` : short);
    names.add(name);
    aliases.set(same, name);
    const list = values.map((value) => JSON.stringify(value));
    const one = `${name} = Literal[${list.join(', ')}]`;
    const text = one.length <= WIDTH ? one : `${name} = Literal[\n${filled(list)}]`;
    words.push(about === undefined ? text : `${text}\n${docstring(about, '').trimEnd()}`);
    return name;
  }
}

/** `Error` is every language's own word. */
function className(name: string): string {
  return name === 'Error' ? 'ErrorBody' : name;
}

function pascal(text: string): string {
  return text.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

function lines(items: readonly string[]): string {
  return [...items]
    .sort()
    .map((item) => `${INDENT}${item},\n`)
    .join('');
}

function filled(items: readonly string[]): string {
  let text = '';
  let line = INDENT;
  for (const item of items) {
    if (line.length + item.length + 2 > WIDTH) {
      text += `${line.trimEnd()}\n`;
      line = INDENT;
    }
    line += `${item}, `;
  }
  return `${text}${line.trimEnd()}\n`;
}

function docstring(text: string, indent: string): string {
  const safe = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''");
  let lines = '';
  let line = `${indent}"""`;
  for (const word of safe.split(/\s+/)) {
    if (line.length + word.length + 4 > WIDTH) {
      lines += `${line.trimEnd()}\n`;
      line = indent;
    }
    line += `${word} `;
  }
  const end = line.trimEnd();
  return `${lines}${end}${end.endsWith('"') ? ' ' : ''}"""\n`;
}

/** What a method of the asynchronous client awaits. */
const AWAITED = /\bself\._transport\.(?:run|close)\(/g;
type Translation = readonly (readonly [RegExp, string])[];
/** Of any client. */
const TRANSLATED: Translation = [
  [/\bIterator\b/g, 'AsyncIterator'],
  [/\bSyncTransport\b/g, 'AsyncTransport'],
  [/\bhttpx\.Client\b/g, 'httpx.AsyncClient'],
  [/__(enter|exit)__/g, '__a$1__'],
];
const OF_ACCOUNTS: Translation = [
  [
    /(emails: )Iterable\[str\](?=,\n {8}\*,\n {8}name: str \| None = None,\n {8}group)/,
    '$1Iterable[str] | AsyncIterable[str]',
  ],
  [/import (Callable), (Iterable), (AsyncIterator)/, 'import AsyncIterable, $3, $1, $2'],
  [/\bMXProof\b(?!-)/g, 'AsyncMXProof'],
  [
    /\b(?:Lists|Account|Audit|Keys|Callbacks|Hooks|Members|Outcomes|Requests|Suppressions|Webhooks)Api\b|\bCheck\b(?=\(|:|$)/gm,
    'Async$&',
  ],
  [/^ {4}with (?=AsyncMXProof)/m, '    async with '],
  [/print\(mx\.verify\("ann@example\.com"\)\.state\)/, 'print((await mx.verify("ann@example.com")).state)'],
];
const OF_OPERATORS: Translation = [
  [/\bAdminClient\b/g, 'AsyncAdminClient'],
  [/\b(?:Accounts|AccountKeys|AllLists|AllCallbacks|AuditTrail)Api\b/g, 'Async$&'],
  [/import Callable, AsyncIterator/, 'import AsyncIterator, Callable'],
  [/^with (?=AsyncAdminClient)/m, 'async with '],
  [/print\(admin\.overview\(\)\.queue\)/, 'print((await admin.overview()).queue)'],
];

/** A method that runs a flow is awaited, one that iterates is iterated asynchronously; all else stays. */
function asynchronous(file: string, own: Translation): string {
  const source = readFileSync(new URL(file, PACKAGE), 'utf8');
  const methods = source.split(/^(?= {4}(?:@|def ))/m);
  const nameOf = (method: string) => /^ {4}def (\w+)/m.exec(method)?.[1];
  // All definitions of a name, for overloads have no body.
  const awaited = new Set([
    '__enter__',
    ...methods.filter((method) => method.search(AWAITED) >= 0).map(nameOf),
  ]);
  const text = methods
    .map((method) => (awaited.has(nameOf(method)) ? method.replace(/^ {4}def /m, '    async def ') : method))
    .join('')
    .replace(AWAITED, 'await $&');
  const translated = [...TRANSLATED, ...own].reduce((all, [pattern, by]) => all.replace(pattern, by), text);
  return `# Written by scripts/python-client.ts from ${file}: change that file.\n${translated}`;
}

const ofAccounts = types(
  'openapi.json',
  `"""What the service answers, as its OpenAPI document describes it.

Words (\`State\`, \`Reason\`, …) may become more in a later version of the service: a value can be one that is not listed
here. Fields that are only there if asked for are None otherwise.
"""`,
);
const ofOperators = types(
  'openapi-admin.json',
  '"""What the service answers its operator. As of _types.py, words may become more."""',
  ofAccounts,
);
const files: Readonly<Record<string, string>> = {
  '_types.py': ofAccounts.text,
  '_admin_types.py': ofOperators.text,
  '_async.py': asynchronous('_sync.py', OF_ACCOUNTS),
  '_admin_async.py': asynchronous('_admin_sync.py', OF_OPERATORS),
  '_version.py': `# Written by scripts/python-client.ts from package.json.\n__version__ = "${
    (JSON.parse(read('package.json')) as { version: string }).version
  }"\n`,
};
for (const [name, text] of Object.entries(files)) {
  const file = new URL(name, PACKAGE);
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text);
    process.stdout.write(`${fileURLToPath(file)} written\n`);
  } else if (readOr(file, '') !== text) {
    process.stderr.write(
      `clients/python/src/mxproof/${name} is out of date: run \`node scripts/python-client.ts\` and commit it.\n`,
    );
    process.exitCode = 1;
  }
}
