// The limits that apply unless the operator changes them. Promise: each row has its reason, and says whose figure it
// rests on; none is looser than what the host's own documentation, KumoMTA's shaping (the most complete published
// collection; a message there is a transaction here) or the defaults of an ordinary server allow.
import { NEVER_ASK } from './never-ask.ts';
import type { Policy } from './policy.ts';

export const DEFAULT_POLICY: Policy = {
  everyone: {
    limits: {
      connections: 10,
      connectionsPerProvider: 40,
      recipientsPerTransaction: 50,
      recipientsPerConnection: 100,
      transactionsPerConnection: null,
      refusalsPerConnection: 9,
      recipientsPerMinute: null,
      recipientsPerHour: null,
      recipientsPerDay: null,
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
        connections: 5,
        connectionsPerProvider: 5,
        recipientsPerConnection: 50,
        transactionsPerConnection: 50,
        refusalsPerConnection: 5,
      },
      reason:
        "KumoMTA's shaping has 5 connections and 50 messages on each; Gmail answers 421 4.7.28 to clients that ask about many unknown users. Raise it once your address is warmed up",
    },
    {
      provider: 'microsoft',
      limits: {
        connections: 5,
        connectionsPerProvider: 20,
        recipientsPerConnection: 50,
        transactionsPerConnection: 50,
        refusalsPerConnection: 5,
      },
      reason:
        "KumoMTA's shaping has 5 connections and 50 messages on each; Exchange Online throttles per source address with 451 4.7.500 and blocks directory harvesting, over all of its tenants",
    },
    {
      provider: 'outlook',
      limits: {
        connections: 5,
        connectionsPerProvider: 5,
        recipientsPerConnection: 50,
        transactionsPerConnection: 50,
        refusalsPerConnection: 5,
      },
      reason:
        "KumoMTA's shaping has 5 connections and 50 messages on each; consumer Outlook has a block list of its own (S3140, S3150), and judges a source by its share of unknown recipients",
    },
    {
      provider: 'yahoo',
      limits: {
        connections: 3,
        connectionsPerProvider: 10,
        recipientsPerTransaction: 10,
        recipientsPerConnection: 20,
        transactionsPerConnection: 20,
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
        transactionsPerConnection: 5,
        refusalsPerConnection: 4,
      },
      reason:
        "KumoMTA's shaping has 10 connections and 5 messages on each; Apple publishes no numbers itself",
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
        connectionsPerProvider: 4,
        recipientsPerConnection: 10,
        transactionsPerConnection: 8,
        refusalsPerConnection: 3,
      },
      reason:
        "KumoMTA's shaping has 4 connections and 8 messages on each; QQ limits unknown recipients per source as well",
    },
    {
      provider: 'netease',
      limits: {
        connections: 2,
        connectionsPerProvider: 4,
        transactionsPerConnection: 7,
        refusalsPerConnection: 3,
      },
      reason: "KumoMTA's shaping has 4 connections and 7 messages on each for 163.com, 126.com and yeah.net",
    },
    {
      provider: 'yahoojapan',
      limits: {
        connections: 2,
        connectionsPerProvider: 2,
        recipientsPerConnection: 20,
        transactionsPerConnection: 20,
        refusalsPerConnection: 4,
      },
      reason: "KumoMTA's shaping has 2 connections and 20 messages on each; not run by Yahoo, and slower",
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
      provider: 'kpn',
      limits: {
        transactionsPerConnection: 10,
        refusalsPerConnection: 4,
      },
      reason: "KumoMTA's shaping has 10 messages on a connection",
    },
    {
      provider: 'netvigator',
      limits: {
        connections: 5,
        connectionsPerProvider: 5,
        transactionsPerConnection: 10,
        refusalsPerConnection: 4,
      },
      reason: "KumoMTA's shaping has 5 connections and 10 messages on each",
    },
    {
      provider: 'mimecast',
      limits: {
        connections: 4,
        connectionsPerProvider: 10,
        recipientsPerConnection: 40,
        refusalsPerConnection: 4,
      },
      reason:
        "KumoMTA's shaping has 10 connections to each region, which is what it counts by; greylists new pairs and rejects by source when recipients are guessed",
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
        transactionsPerConnection: 15,
        refusalsPerConnection: 4,
      },
      reason:
        "KumoMTA's shaping has 10 connections to a customer and 15 messages on each; Barracuda counts connections of a source over half an hour (rate control)",
    },
  ],
  missingQuestionsPerMinute: 600,
  never: NEVER_ASK,
  neverProviders: new Set(),
  sources: new Map(),
};
