// The schema of what keeps the deployment from checking.
import { PROVIDER_WORDS } from '@mxproof/engine';
import { type Static, type TSchema, Type } from 'typebox';
import { closed, name, ref, words } from '../../http/openapi/schemas.ts';
import { STATUS_CODES, type StatusCode } from './service-status.ts';

name(
  'StatusCode',
  words(
    [...STATUS_CODES],
    'port_25: mail servers cannot be reached. dns: the DNS servers do not answer or cannot be trusted. database: it does not answer. source_blocked: a mail provider has blocked an IP address of this service.',
  ),
);

const StatusReason = name(
  'StatusReason',
  Type.Object(
    {
      code: Type.Unsafe<StatusCode>(ref('StatusCode')),
      since: Type.Integer({ description: 'Unix seconds.' }),
      advice: Type.String({ description: 'One sentence for the operator: what is wrong, and what to do.' }),
    },
    { ...closed, description: 'Something that keeps the deployment from checking.' },
  ),
);

const WarmUpLeft = name(
  'WarmUpLeft',
  Type.Object(
    {
      provider: Type.String({
        description: 'As in results; other: all mail hosts of no known provider together.',
      }),
      left: Type.Integer({
        minimum: 0,
        description: 'Recipients that may still be asked about there today.',
      }),
    },
    { ...closed, description: 'What is left of the day at one provider.' },
  ),
);

const WarmUpStatus = name(
  'WarmUpStatus',
  Type.Object(
    {
      day_ends_at: Type.Integer({
        description: 'When the day ends, in UTC; Unix seconds. The next one may allow more.',
      }),
      providers: Type.Array(ref('WarmUpLeft') as TSchema, {
        maxItems: PROVIDER_WORDS.length,
        description: 'Each at most once.',
      }),
      elsewhere: Type.Integer({ minimum: 0, description: 'The same at each provider that is not named.' }),
    },
    {
      ...closed,
      description:
        'Source addresses that are being warmed up ask about a limited number of recipients a day at each provider. What does not fit waits, and ends unknown and is refunded if its list ends first. A domain is asked from one source: those of other sources have no such limit.',
    },
  ),
);

const Status = Type.Object(
  {
    checking: words(
      ['ok', 'waiting'],
      'waiting: no address can be checked for now. Lists keep their place and continue by themselves; with DNS servers that answer wrongly, addresses end unknown and are refunded. ok: addresses are checked, perhaps except for those that a reason concerns.',
    ),
    reasons: Type.Array(ref('StatusReason') as TSchema, {
      maxItems: STATUS_CODES.length,
      description: 'Each code at most once. Empty with `waiting`: no node of the deployment checks.',
    }),
    // Only where there is one: the answer of a deployment without stays what it was.
    warm_up: Type.Optional(Type.Unsafe<WireWarmUp>(ref('WarmUpStatus'))),
  },
  { ...closed, description: 'Whether the deployment checks addresses, a few seconds old at most.' },
);
name('ServiceStatus', Status);
type WireWarmUp = Omit<Static<typeof WarmUpStatus>, 'providers'> & { providers: Static<typeof WarmUpLeft>[] };
export type WireStatus = Omit<Static<typeof Status>, 'reasons'> & { reasons: Static<typeof StatusReason>[] };
