// The schemas of the ways of signing in.
import { type Static, Type } from 'typebox';
import { closed, name } from '../../http/openapi/schemas.ts';

const SignInWays = name(
  'SignInWays',
  Type.Object(
    {
      key: Type.Boolean({ description: 'With an API key.' }),
      mail: Type.Boolean({ description: 'With a link by mail.' }),
      openid: Type.Unsafe<{ readonly name: string } | null>({
        type: ['object', 'null'],
        properties: { name: { type: 'string', description: 'What people call the provider.' } },
        required: ['name'],
        additionalProperties: false,
        description: 'With an OpenID provider, from `/sign-in/openid`; null: none is set up.',
      }),
    },
    { ...closed, description: 'How browsers can be signed in here.' },
  ),
);
export type WireSignInWays = Static<typeof SignInWays>;

name(
  'LinkAsked',
  Type.Object({}, { ...closed, description: 'The link was asked for; whether one is sent is not said.' }),
);
