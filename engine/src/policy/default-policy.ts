// The limits in force when the operator says nothing. Promise: each row has its reason; none is looser than what
// the host's own documents or an ordinary server's defaults bear.
import type { Policy } from './policy.ts';

export const DEFAULT_POLICY: Policy = {
  everyone: {
    limits: {
      connections: 10,
      connectionsPerProvider: 40,
      recipientsPerTransaction: 50,
      recipientsPerConnection: 100,
      refusalsPerConnection: 9,
      recipientsPerMinute: null,
    },
    reason:
      'Postfix delays from the 10th error of a session and hangs up at the 20th, counts RSET from the 100th on, and takes 50 connections from one client; half of the usual MTA concurrency of 20 leaves room for the mail that is really sent',
  },
  rows: [
    {
      provider: 'google',
      limits: {
        connections: 8,
        connectionsPerProvider: 20,
        recipientsPerConnection: 50,
        refusalsPerConnection: 5,
      },
      reason: 'Gmail answers 421 4.7.28 to clients that ask for many unknown users; one domain a transaction',
    },
    {
      provider: 'microsoft',
      limits: {
        connections: 5,
        connectionsPerProvider: 20,
        recipientsPerConnection: 40,
        refusalsPerConnection: 5,
      },
      reason: 'Exchange Online throttles per source address with 451 4.7.500 and blocks directory harvesting',
    },
    {
      provider: 'yahoo',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerTransaction: 10,
        recipientsPerConnection: 20,
        refusalsPerConnection: 4,
      },
      reason: 'Yahoo asks for at most 20 messages a connection and defers unusual traffic with TSS04',
    },
    {
      provider: 'apple',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason: 'iCloud asks senders to keep connections few and stops those with many unknown users',
    },
    {
      provider: 'mailru',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason: 'Mail.ru limits a source by its share of unknown recipients',
    },
    {
      provider: 'yandex',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason: 'Yandex limits recipients a session and defers with 451 4.7.1',
    },
    {
      provider: 'gmx',
      limits: {
        connections: 3,
        connectionsPerProvider: 8,
        recipientsPerConnection: 20,
        refusalsPerConnection: 3,
      },
      reason:
        'GMX and WEB.DE (1&1 Mail & Media) end a session after few unknown recipients and count connections',
    },
    {
      provider: 'comcast',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason:
        'Comcast publishes 100 recipients and few simultaneous connections for sources without a history',
    },
    {
      provider: 'zoho',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason: 'Zoho blocks a source for an hour after many unknown recipients',
    },
    {
      provider: 'proton',
      limits: {
        connections: 3,
        connectionsPerProvider: 8,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason: 'Proton watches for directory harvesting and defers sources without a history',
    },
    {
      provider: 'qq',
      limits: {
        connections: 2,
        connectionsPerProvider: 6,
        recipientsPerConnection: 10,
        refusalsPerConnection: 3,
      },
      reason: 'QQ Mail limits connections and unknown recipients per source sharply',
    },
    {
      provider: 'orange',
      limits: {
        connections: 2,
        connectionsPerProvider: 4,
        recipientsPerConnection: 20,
        refusalsPerConnection: 3,
      },
      reason: 'Orange takes two or three connections from one source (OFR004 beyond that)',
    },
    {
      provider: 'mimecast',
      limits: {
        connections: 4,
        connectionsPerProvider: 12,
        recipientsPerConnection: 40,
        refusalsPerConnection: 4,
      },
      reason: 'Mimecast greylists new pairs and blocks harvesting by source',
    },
    {
      provider: 'proofpoint',
      limits: {
        connections: 4,
        connectionsPerProvider: 12,
        recipientsPerConnection: 40,
        refusalsPerConnection: 4,
      },
      reason: 'Proofpoint throttles sources with a high share of unknown recipients',
    },
    {
      provider: 'barracuda',
      limits: {
        connections: 4,
        connectionsPerProvider: 12,
        recipientsPerConnection: 40,
        refusalsPerConnection: 4,
      },
      reason: 'Barracuda defers a source that asks faster than 30 connections in half an hour allow',
    },
  ],
  never: new Set(),
};
