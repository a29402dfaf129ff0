// The named shapes of the second document, /admin/v1: apart from those of the API, which never mentions them.
import type { TSchema } from 'typebox';

const named: Record<string, TSchema> = {};

export function adminName<const Schema extends TSchema>(id: string, schema: Schema): Schema {
  named[id] = { ...schema, $id: id };
  return schema;
}

export const adminSchemas: Readonly<Record<string, TSchema>> = named;
