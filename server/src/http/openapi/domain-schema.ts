// The schema of what can be said about a domain.
import { type Static, type TSchema, Type } from 'typebox';
import { checkedFields, closed, name, ref, secondsOrNull, words } from './schemas.ts';

const orNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const MailHost = name(
  'MailHost',
  Type.Object(
    {
      host: Type.String({ description: 'Its name.' }),
      preference: Type.Integer({
        minimum: 0,
        maximum: 65_535,
        description: 'The lowest is tried first.',
      }),
    },
    { ...closed, description: 'A mail host of a domain.' },
  ),
);
type WireMailHost = Static<typeof MailHost>;

const Domain = Type.Object(
  {
    domain: Type.String({ description: 'The domain in ASCII, lower case.' }),
    accepts_mail: Type.Unsafe<boolean | null>({
      type: ['boolean', 'null'],
      description:
        'Whether it can receive mail: by DNS alone. Null, as all that comes from DNS, if DNS does not tell or cannot be trusted.',
    }),
    mx: Type.Unsafe<WireMailHost[] | null>({
      anyOf: [Type.Array(ref('MailHost') as TSchema, { maxItems: 12 }), { type: 'null' }],
      description:
        'Its mail hosts, the most preferred first; the domain itself if it has an address and no MX record; empty if it accepts no mail.',
    }),
    provider: orNull(
      'Who runs the most preferred one, such as `google`; `other` if not known; empty without a mail host.',
    ),
    free: checkedFields.free,
    disposable: checkedFields.disposable,
    suggestion: orNull('A likelier spelling of the domain, or null.'),
    catch_all: words(
      ['yes', 'no', 'unknown'],
      'Whether it accepts every address, as checks of this account have found within 30 days.',
    ),
    catch_all_at: secondsOrNull('When they found it; null with `unknown`.'),
    spf: orNull('Its SPF record; empty without one that receivers use, as where there are several.'),
    dmarc: orNull(
      'Its DMARC record, or that of the registered domain that it belongs to; empty without one that receivers use.',
    ),
    checked_at: Type.Integer({ description: 'When this was put together, in Unix seconds.' }),
  },
  { ...closed, description: 'What can be said about a domain without asking a mail server.' },
);
name('Domain', Domain);
export type WireDomain = Static<typeof Domain>;
