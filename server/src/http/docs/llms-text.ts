// /llms.txt: what a language model needs to write a call that works (llmstxt.org): one heading, a quoted summary, paragraphs, and
// links under a heading each. Promise: endpoints, words, test addresses and error codes are those of the document and the sources.

import { DETAILS } from '@mxproof/common/vocabulary/details';
import { DETAIL_WORDS } from '@mxproof/common/vocabulary/labels';
import { REASON_WORDS, REASONS } from '@mxproof/common/vocabulary/verdicts';
import { MAX_ADDRESSES } from '../../rules/clean-emails.ts';
import { SLOW_ANSWER_MS, SLOW_MS, TEST_REFUSALS, testVerdicts } from '../../rules/test-outcome.ts';
import { ERROR_CODES, wording } from '../errors.ts';
import { expandParts } from '../openapi/share-parts.ts';
import { CHECK_MANY, CHECK_ONE, PYTHON, TYPESCRIPT } from './llms-samples.ts';

/** What browsers, sending services and process managers ask, and are told: no program with a key meets it. */
export const NOT_FOR_PROGRAMS = {
  paths: /^\/(?:session|sign-in|healthz|readyz)\b|^\/v1\/(?:members\/me|hooks\/\{service\}\/\{token\})$/,
  codes: [
    ...['role', 'foreign_page', 'no_other_side', 'bad_list_mail', 'no_mail_sent', 'mailbox_not_proved'],
    ...['sign_in_by_key_off', 'sign_in_expired', 'sign_in_not_set_up', 'link_not_found', 'not_invited'],
    ...['provider_refused', 'provider_untrusted', 'provider_unavailable', 'hook_refused'],
  ] as readonly string[],
} as const;

interface Schema {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
  readonly required?: readonly string[];
}
interface Operation {
  readonly summary: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}
export interface OpenApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

export function llmsText(document: OpenApiDocument): string {
  const { info, paths, components } = expandParts(document);
  return `# ${info.title}

> ${info.description.split('\n\n')[0]}

Base URL: the origin that served this file, \`MXPROOF_URL\` below. Every request under \`/v1\` has \`Authorization: Bearer <key>\`, where a key is \`mx_live_…\`, or \`mx_test_…\` for tests: no network, no credits. Bodies are JSON in UTF-8, times Unix seconds. One credit per unique address is charged at submission; \`unknown\` is refunded. The programs below run as they stand with \`MXPROOF_URL\` and \`MXPROOF_API_KEY\` set.

A key's \`access\` is \`full\`, \`read\` (changes and charges nothing) or \`verify\` (for a sign-up form: \`POST /v1/verify\` and the results of its own checks, \`suggest\`, \`domains\`, \`status\`). A field or parameter that is not known is refused for a test key, and named in \`MXProof-Warning\` for a live one. Fields, endpoints and codes may be added: ignore what you do not know. What will be removed is announced a year before by \`Deprecation\`, \`Sunset\` and \`MXProof-Warning\`.

**One address:** \`POST /v1/verify\`.

${CHECK_ONE}

${fieldsOf(components.schemas.CheckedAddress!)}

**202** instead of 200, \`{"state": "pending", "list_id": 17}\`: the mail server is slow. The check goes on and is charged, so never post the address again: read \`GET /v1/lists/17/results\` until the row's \`state\` is no longer \`pending\`. \`Prefer: wait=N\` says after how many seconds to answer 202: 0 to 20, without it 20. A sign-up form lets \`unknown\` and 202 pass.

**Many addresses:** \`POST /v1/lists\`, at most ${MAX_ADDRESSES} each. \`/events\` is a stream that ends when the list is \`done\` or \`failed\`; or poll \`GET /v1/lists/{id}\` every 5 seconds, or give a \`callback_url\` (https). Increase \`offset\` by \`limit\` until a page has fewer rows. Rows are \`{"results": […]}\` with the fields above and \`provider\`. With the same \`Idempotency-Key\`, a repeat within 24 hours is not charged again.

${CHECK_MANY}

**TypeScript and JavaScript:** \`@mxproof/client\`. Not on npm yet: \`npm run pack -- DIR\` in a checkout of MXProof, then \`npm install DIR/mxproof-client-*.tgz\`. **Python:** \`mxproof\`, with \`MXProof\` and \`AsyncMXProof\`: \`pip install ./clients/python\` in a checkout. Both read \`MXPROOF_URL\` and \`MXPROOF_API_KEY\` unless they are passed (\`new MXProof({ apiKey, baseUrl })\`, \`MXProof(api_key, base_url)\`), wait behind a 202, and repeat only what is not charged twice. \`mx.verifyMany(emails)\` and \`mx.verify_many(emails)\` take any number.

${TYPESCRIPT}

${PYTHON}

**Callbacks:** \`list.done\` is posted to \`callback_url\`; verify its raw body: \`await verifyCallback(body, headers, secret)\` in TypeScript, \`webhooks.verify(body, headers, secret)\` in Python. Answer 2xx within 10 seconds; the same one can come twice. With \`{ mode: 'live' }\` (\`mode="live"\`) those of test lists, whose \`webhook-id\` begins with \`test_\`, are refused. Endpoints (\`POST /v1/webhooks\`) are told of \`list.done\`, \`list.failed\`, \`list.paused\` and \`credits.low\`: \`verifyWebhook\`, \`webhooks.verify_event\`.

**Test addresses**, with a test key: the part before the \`@\`, or after its last \`+\`, decides, whatever the domain. Any other word is \`deliverable\`.

${testVerdicts()
  .map(({ word, state, reason, detail }) => `- \`${word}\`: \`${state}\`, \`${reason}\`, \`${detail}\``)
  .join('\n')}
- \`slow\`: answered 202, \`deliverable\` after ${SLOW_MS / 1000} seconds
- refused by \`POST /v1/verify\`: ${refusedBy(TEST_REFUSALS.addresses)}
- names of lists that \`POST /v1/lists\` refuses: ${refusedBy(TEST_REFUSALS.lists)}; a list named \`fail\` fails, one named \`slow-answer\` is answered after ${SLOW_ANSWER_MS / 1000} seconds

**States, their reasons** and, with \`include=detail\`, the usual details. More words may be added: treat one you do not know as its state.

${REASON_WORDS.map(reason).join('\n')}

**Errors:** every status from 400 has the body \`{"error": "<sentence>"}\` and a code in the header \`MXProof-Error\`; \`MXProof-Error-Detail\` may say more. 402 has \`MXProof-Credits-Needed\`; 429 and 503 have \`Retry-After\`: wait so long and repeat. A refused request charges nothing. \`X-Request-Id\` names a request to support. Codes:

${errors()}

**Endpoints**, with the fields of their JSON body and their query parameters; \`?\`: may be left out.

${endpoints(paths)}

## Docs

- [OpenAPI 3.1](/v1/openapi.json): every parameter, body, status and header
- [API reference](/docs): the same for people
- [Guides](https://github.com/mxproof/mxproof/tree/main/docs/guide): how to do what, and why
`;
}

function fieldsOf({ properties = {}, required = [] }: Schema): string {
  return Object.entries(properties)
    .filter(([name, { description }]) => description !== undefined && required.includes(name))
    .map(([name, { description }]) => `- \`${name}\`: ${description}`)
    .concat(
      '- added by `include`: `detail`, `suggestion` (a likelier spelling of the domain), `provider`, `checked_at`',
    )
    .join('\n');
}

const refusedBy = (words: Readonly<Record<string, string>>) =>
  Object.entries(words)
    .map(([word, why]) => `\`${word}\` (\`${why}\`)`)
    .join(', ');

function reason(word: (typeof REASON_WORDS)[number]): string {
  const { state, meaning } = REASONS[word];
  const details = DETAIL_WORDS.filter((each) => DETAILS[each].reasons[0] === word);
  const plain = meaning.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  return `- \`${state}\`, \`${word}\`: ${plain} (${details.map((each) => `\`${each}\``).join(', ')})`;
}

function errors(): string {
  const met = ERROR_CODES.filter((code) => !NOT_FOR_PROGRAMS.codes.includes(code));
  const byStatus = Map.groupBy(met, (code) => wording(code).status);
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => `- ${status}: ${codes.map((code) => `\`${code}\``).join(', ')}`)
    .join('\n');
}

function endpoints(paths: OpenApiDocument['paths']): string {
  return Object.entries(paths)
    .filter(([path]) => !NOT_FOR_PROGRAMS.paths.test(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { summary, parameters = [], requestBody }]) => {
        const query = parameters.filter((each) => each.in === 'query').map(({ name }) => name);
        const { properties, required = [] } = requestBody?.content['application/json']?.schema ?? {};
        const fields = Object.keys(properties ?? {}).map(
          (name) => name + (required.includes(name) ? '' : '?'),
        );
        const takes = [
          ...(fields.length > 0 ? [`{${fields.join(', ')}}`] : []),
          ...(query.length > 0 ? [`?${query.join('&')}`] : []),
        ];
        return `- \`${[`${method.toUpperCase()} ${path}`, ...takes].join(' ')}\`: ${summary}`;
      }),
    )
    .join('\n');
}
