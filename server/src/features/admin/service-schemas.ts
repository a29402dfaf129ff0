// The schemas of what runs: lists of all accounts, callbacks, nodes, sources, the doctor, the overview.
import { type Static, Type } from 'typebox';
import {
  closed,
  count,
  ListSummary,
  objectOrNull,
  pageOf,
  ref,
  secondsOrNull,
  words,
} from '../../http/openapi/schemas.ts';
import { adminName } from './names.ts';

const orNull = (description: string) => Type.Unsafe<string | null>({ type: ['string', 'null'], description });

const { id, name, status, total, duplicates_removed, checked, counts, created_at, finished_at } =
  ListSummary.properties;
const AdminList = adminName(
  'AdminList',
  Type.Object(
    {
      ...{ id, account_id: Type.Integer({ minimum: 1, description: 'Whose it is.' }), name, status, total },
      ...{ duplicates_removed, checked, counts, created_at, finished_at },
      paused_at: secondsOrNull('Since when it is paused, in Unix seconds; null: it is not.'),
      pending: count('Addresses without a result; 0 once it has ended.'),
      checking: count('Of these, being asked about at this moment.'),
      waits_for: objectOrNull(
        {
          why: Type.String({ description: 'As in `GET …/waiting`.' }),
          host: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
          next_attempt_at: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
        },
        'The largest group of addresses that wait; null: none does.',
      ),
    },
    { ...closed, description: 'A list of an account, without any of its addresses.' },
  ),
);
export type WireAdminList = Static<typeof AdminList>;
adminName(
  'AdminListPage',
  pageOf('lists', 'AdminList', 'Lists of all accounts, newest first; those that are stuck oldest first.'),
);

const AdminCallback = adminName(
  'AdminCallback',
  Type.Object(
    {
      list_id: Type.Integer({ minimum: 1 }),
      account_id: Type.Integer({ minimum: 1 }),
      url: Type.String({ description: 'Where it goes, without query and fragment.' }),
      state: words(['pending', 'delivered', 'failed'], 'failed: all attempts have failed.'),
      created_at: Type.Integer({ description: 'Unix seconds.' }),
      attempts: Type.Array(
        Type.Object(
          {
            at: Type.Integer({ description: 'Unix seconds.' }),
            status: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
            error: orNull('What went wrong; null: nothing.'),
            duration_ms: count('Milliseconds.'),
          },
          closed,
        ),
      ),
      next_attempt_at: secondsOrNull('Unix seconds; null: none is to come.'),
    },
    { ...closed, description: 'The callback of a list, without its body.' },
  ),
);
export type WireAdminCallback = Static<typeof AdminCallback>;
adminName('AdminCallbackPage', pageOf('callbacks', 'AdminCallback', 'Callbacks, newest first.'));

const Node = adminName(
  'Node',
  Type.Object(
    {
      id: Type.String(),
      machine: orNull('The name of its machine.'),
      state: words(['alive', 'stopped', 'lost'], 'lost: it fell silent. stopped: it said that it stops.'),
      roles: Type.Array(
        words(['http', 'checks'], 'http: it answers requests. checks: it asks mail servers.'),
      ),
      url: orNull('Where it listens; null: it answers no requests.'),
      sources: Type.Array(Type.String(), { description: 'Addresses it asks from.' }),
      seen_seconds_ago: count('When it was last heard of.'),
      jobs: count('Jobs that it has in hand.'),
    },
    { ...closed, description: 'A process of the service.' },
  ),
);
export type WireNode = Static<typeof Node>;
adminName('NodePage', pageOf('nodes', 'Node', 'Nodes that were heard of within the last hour.'));

const SourceCounts = adminName(
  'SourceCounts',
  Type.Object(
    {
      asked: count('Recipients, of which the others are parts.'),
      accepted: count('The mail host takes mail for them.'),
      unknown_recipients: count('It knows no such mailbox.'),
      deferred: count('It put them off.'),
      refused: Type.Object(
        {
          block: count('The source is on a block list.'),
          rate: count('It asked too much.'),
          ptr: count('Its name does not fit its address.'),
          policy: count('Otherwise about the source.'),
        },
        { ...closed, description: 'Refusals about the source, which may come before any recipient.' },
      ),
    },
    closed,
  ),
);
const SourceHealth = adminName(
  'SourceHealth',
  Type.Object(
    {
      id: Type.String({ description: 'For `POST /admin/v1/sources/{id}/rest`: the address, or `own`.' }),
      source: Type.String({ description: 'The address; empty: the machine’s own.' }),
      provider: Type.String({ description: 'By its word in results.' }),
      today: ref('SourceCounts') as unknown as typeof SourceCounts,
      last_week: ref('SourceCounts') as unknown as typeof SourceCounts,
      refusal: objectOrNull(
        {
          kind: words(['block', 'rate', 'ptr', 'policy'], 'What it is about.'),
          reply: Type.String({ description: 'In the mail server’s words.' }),
          link: Type.Unsafe<string | null>({
            type: ['string', 'null'],
            pattern: '^https://',
            description: 'Where to ask to be taken off the list, at a known operator; null: none.',
          }),
          at: Type.Integer({ description: 'Unix seconds.' }),
        },
        'The latest refusal about the source; null: none.',
      ),
      rest: objectOrNull(
        {
          since: Type.Integer({ description: 'Unix seconds.' }),
          until: secondsOrNull('Unix seconds; null: until it is resumed.'),
          by: words(['refusals', 'operator'], 'Who began it.'),
        },
        'Nothing is asked there from this source meanwhile; null: it does not rest.',
      ),
      warm_up: objectOrNull(
        {
          day: count('The day of the warm-up.'),
          per_day: count('Recipients it may ask about on this day.'),
          used: count('Of these, asked.'),
          held_back: orNull('Why the limit does not grow; null: it does.'),
        },
        'Null: it is not warmed up there.',
      ),
    },
    { ...closed, description: 'How one source fares at one provider.' },
  ),
);
export type WireSourceHealth = Static<typeof SourceHealth>;
const Sources = adminName(
  'Sources',
  Type.Object(
    {
      at: Type.Integer({ description: 'By the service’s clock, in Unix seconds.' }),
      pairs: Type.Array(ref('SourceHealth') as unknown as typeof SourceHealth),
      left_out: count('Pairs that are too many to be told.'),
    },
    { ...closed, description: 'How the sources fare, each at each provider.' },
  ),
);
export type WireSources = Static<typeof Sources>;
adminName('Resting', Type.Object({ resting: Type.Boolean() }, closed));

const DoctorCheck = Type.Object(
  {
    id: Type.String(),
    group: Type.String({ description: 'Of the report; empty: none.' }),
    title: Type.String(),
    status: words(['ok', 'warning', 'failure', 'skipped'], 'What came of it.'),
    detail: Type.String(),
    advice: orNull('What to do; null: nothing.'),
  },
  closed,
);
const DoctorReport = adminName(
  'DoctorReport',
  Type.Object(
    {
      machine: Type.String(),
      ran_at: Type.Integer({ description: 'Unix seconds.' }),
      ok: Type.Boolean({ description: 'No check failed.' }),
      checks: Type.Array(DoctorCheck),
    },
    { ...closed, description: 'What the doctor found on one machine.' },
  ),
);
const Doctor = adminName(
  'Doctor',
  Type.Object(
    {
      at: Type.Integer({ description: 'By the service’s clock, in Unix seconds.' }),
      reports: Type.Array(ref('DoctorReport') as unknown as typeof DoctorReport),
      backup_at: secondsOrNull('When the newest backup was made, in Unix seconds; null: there is none.'),
      left_out: count('Machines that are too many to be told.'),
    },
    { ...closed, description: 'The doctor’s latest report on each machine.' },
  ),
);
export type WireDoctor = Static<typeof Doctor>;

adminName(
  'LedgerVerification',
  Type.Object(
    {
      accounts: count('Accounts that were looked at.'),
      lists: count('Lists that were looked at.'),
      differences: Type.Array(
        Type.Object({ what: Type.String(), stored: Type.Integer(), recomputed: Type.Integer() }, closed),
        { description: 'Empty: every balance and counter is what its rows say.' },
      ),
    },
    { ...closed, description: 'Balances and counters, recomputed.' },
  ),
);

const Overview = adminName(
  'Overview',
  Type.Object(
    {
      at: Type.Integer({ description: 'By the service’s clock, in Unix seconds.' }),
      hours: Type.Integer({ minimum: 1, description: 'What "lately" is.' }),
      checks: Type.Object(
        {
          deliverable: count('Of lists that ended lately.'),
          risky: count('Of lists that ended lately.'),
          undeliverable: count('Of lists that ended lately.'),
          unknown: count('Of lists that ended lately.'),
          lists_ended: count('Lists and single checks that ended lately.'),
        },
        { ...closed, description: 'Live mode alone, without lists that were deleted since.' },
      ),
      providers: Type.Object(
        {
          counted: count('Addresses of the newest lists that were looked at, at most 100,000.'),
          rows: Type.Array(
            Type.Object(
              {
                provider: Type.String({ description: 'By its word in results.' }),
                checked: count('Addresses with a result.'),
                unknown: count('Of these, without an answer.'),
              },
              closed,
            ),
            { description: 'The largest first.' },
          ),
        },
        closed,
      ),
      queue: Type.Object(
        {
          unfinished: count('Lists under way, paused ones included.'),
          paused: count('Of these, paused.'),
          pending: count('Addresses without a result.'),
          due: count('Jobs whose time has come and that no node has taken.'),
          later: count('Jobs that wait for their time.'),
          claimed: count('Jobs that nodes have in hand.'),
          oldest_seconds: Type.Unsafe<number | null>({
            type: ['number', 'null'],
            description: 'How long the oldest that is due has waited; null: none is due.',
          }),
        },
        closed,
      ),
      callbacks: Type.Object(
        {
          delivered: count('Lately.'),
          failed: count('Lately.'),
          pending: count('Now.'),
          deliveries_pending: count('To webhook endpoints, now.'),
          endpoints_off: count('Webhook endpoints that the service switched off.'),
        },
        closed,
      ),
      accounts: Type.Object(
        {
          total: count('Accounts.'),
          suspended: count('Of these, suspended.'),
          active: count('Of these, with a list or single check of the time.'),
        },
        closed,
      ),
      nodes: Type.Object(
        { alive: count('Nodes.'), lost: count('Nodes that fell silent.'), stopped: count('Nodes.') },
        closed,
      ),
      sources: Type.Object({ resting: count('Sources at providers where they rest now.') }, closed),
      alerts: Type.Array(
        Type.Object(
          {
            condition: Type.String(),
            subject: Type.String({ description: 'What it is about; empty: the deployment.' }),
            detail: Type.String(),
            since: Type.Integer({ description: 'Unix seconds.' }),
          },
          closed,
        ),
        { description: 'Alerts that hold now.' },
      ),
      doctor: Type.Object(
        {
          machines: count('Machines with a report.'),
          failing: count('Of these, where a check failed.'),
        },
        closed,
      ),
      backup_at: secondsOrNull('When the newest backup was made, in Unix seconds; null: there is none.'),
    },
    { ...closed, description: 'The deployment now, and lately.' },
  ),
);
export type WireOverview = Static<typeof Overview>;

adminName(
  'AdminResending',
  Type.Object({ list_id: Type.Integer({ minimum: 1 }), state: Type.Literal('pending') }, closed),
);
