// The script of the Scalar API reference, as text.
// In a package it lies beside this file, frozen when it was packed (scripts/pack.ts). In a checkout it is taken out of
// its npm package, where it is one string among the code of a Fastify plugin: loading the plugin for that one string would
// bring its dependencies and their memory into the service (ADR 0036).
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';

export const SCALAR = '@scalar/fastify-api-reference';

const PACKED = new URL('./scalar.js', import.meta.url);
/** As the pinned version writes it; a test fails when another does not. */
const LITERAL = /^var standalone_default = (".*");\n\/\/#endregion$/ms;

export async function readScalar(): Promise<string> {
  if (existsSync(PACKED)) return readFile(PACKED, 'utf8');
  const plugin = await readFile(createRequire(import.meta.url).resolve(SCALAR), 'utf8');
  const [, literal] = LITERAL.exec(plugin) ?? [];
  if (literal === undefined) throw new Error(`${SCALAR} holds no script where 1.72 has it`);
  // A string literal and nothing else: it runs no code. JSON.parse would not take its escapes.
  return String(runInNewContext(literal));
}
