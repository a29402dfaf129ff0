// The limits that apply unless the operator changes them. Promise: each row has its reason; none is looser than what
// the host's own documentation or the defaults of an ordinary server allow.
import { NEVER_ASK } from './never-ask.ts';
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
      bannerSeconds: null,
      replySeconds: null,
      secondTrySeconds: null,
      unknownRecipients: 500,
      refusalsInARow: 300,
      refusingRecipientsPerMinute: 60,
      refusingConnectionsPerMinute: 10,
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
      reason:
        'Gmail answers 421 4.7.28 to clients that ask about many unknown users; one domain per transaction',
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
      reason: 'Yahoo asks for at most 20 messages per connection and defers unusual traffic with TSS04',
    },
    {
      provider: 'apple',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason:
        'publishes no numbers; as careful as with Yahoo, whose scale it shares, until an operator knows better',
    },
    {
      provider: 'mailru',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason: 'publishes no numbers, but judges a source by its share of unknown recipients: few per session',
    },
    {
      provider: 'yandex',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason: 'publishes no numbers; defers with 451 4.7.1 to slow a source down: few per session',
    },
    {
      provider: 'gmx',
      limits: {
        connections: 3,
        connectionsPerProvider: 8,
        recipientsPerConnection: 20,
        refusalsPerConnection: 3,
      },
      reason: 'publishes no numbers for strangers; GMX ends sessions after few unknown recipients',
    },
    {
      provider: 'webde',
      limits: {
        connections: 3,
        connectionsPerProvider: 8,
        recipientsPerConnection: 20,
        refusalsPerConnection: 3,
      },
      reason: 'run like GMX, and tolerates as little',
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
        'limits connections and recipients by the reputation of a source, which a new one does not have',
    },
    {
      provider: 'zoho',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason:
        'publishes no numbers for strangers; blocks are by source and last, so few unknown recipients per session',
    },
    {
      provider: 'proton',
      limits: {
        connections: 3,
        connectionsPerProvider: 8,
        recipientsPerConnection: 25,
        refusalsPerConnection: 4,
      },
      reason: 'publishes no numbers; watches for directory harvesting, so few unknown recipients per session',
    },
    {
      provider: 'qq',
      limits: {
        connections: 2,
        connectionsPerProvider: 6,
        recipientsPerConnection: 10,
        refusalsPerConnection: 3,
      },
      reason: 'limits connections and unknown recipients per source; the lowest limits of all',
    },
    {
      provider: 'orange',
      limits: {
        connections: 2,
        connectionsPerProvider: 4,
        recipientsPerConnection: 20,
        refusalsPerConnection: 3,
      },
      reason: 'answers OFR errors to more than a few connections from one source',
    },
    {
      provider: 'mimecast',
      limits: {
        connections: 4,
        connectionsPerProvider: 12,
        recipientsPerConnection: 40,
        refusalsPerConnection: 4,
      },
      reason: 'greylists new pairs and rejects by source when recipients are guessed: few per session',
    },
    {
      provider: 'proofpoint',
      limits: {
        connections: 4,
        connectionsPerProvider: 12,
        recipientsPerConnection: 40,
        refusalsPerConnection: 4,
      },
      reason: 'throttles sources with a high share of unknown recipients: few per session',
    },
    {
      provider: 'barracuda',
      limits: {
        connections: 4,
        connectionsPerProvider: 12,
        recipientsPerConnection: 40,
        refusalsPerConnection: 4,
      },
      reason: 'counts connections of a source over half an hour (rate control): few of them',
    },
  ],
  missingQuestionsPerMinute: 600,
  never: NEVER_ASK,
};
