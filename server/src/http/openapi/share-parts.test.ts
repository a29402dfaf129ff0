import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { expandParts, shareParts } from './share-parts.ts';

const committed = JSON.parse(readFileSync(new URL('../../../../openapi.json', import.meta.url), 'utf8'));
const referred = (document: object) =>
  [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\//g)].map(([, kind]) => kind);

test('the document with its parts in place refers to schemas only, and shared again it is the same', () => {
  const whole = expandParts(committed);
  expect(Object.keys(whole.components).sort()).toEqual(['schemas', 'securitySchemes']);
  expect(new Set(referred(whole))).toEqual(new Set(['schemas']));
  expect(whole.paths['/v1/lists/{id}'].get.responses['404'].headers['MXProof-Error'].schema.enum).toEqual([
    'list_not_found',
  ]);
  expect(shareParts(whole)).toEqual(committed);
  expect(expandParts(shareParts(whole))).toEqual(whole);
  expect(JSON.stringify(committed).length).toBeLessThan(JSON.stringify(whole).length / 2);
});

test('of parts with one name the most used is shared; what differs by a word stays', () => {
  const limit = (description: string) => ({ name: 'limit', in: 'query', description });
  const operation = (description: string) => ({ parameters: [limit(description)], responses: {} });
  const document = {
    paths: {
      '/a': { get: operation('Rows.'), post: operation('Rows.') },
      '/b': { get: operation('Lists.') },
    },
    components: {},
  };
  const shared = shareParts(document);
  expect(shared.paths['/a'].get.parameters).toEqual([{ $ref: '#/components/parameters/limit' }]);
  expect(shared.paths['/b'].get.parameters).toEqual([limit('Lists.')]);
  expect(shared.components).toMatchObject({ parameters: { limit: limit('Rows.') } });
  expect(expandParts(shared)).toEqual(document);
});
