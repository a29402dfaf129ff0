// The schema of what keeps the deployment from checking.
import { type Static, type TSchema, Type } from 'typebox';
import { STATUS_CODES, type StatusCode } from '../../rules/service-status.ts';
import { closed, name, ref, words } from './schemas.ts';

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
  },
  { ...closed, description: 'Whether the deployment checks addresses, a few seconds old at most.' },
);
name('ServiceStatus', Status);
export type WireStatus = Omit<Static<typeof Status>, 'reasons'> & { reasons: Static<typeof StatusReason>[] };
