// No flight exceeds a limit, whatever the session, the host and the queue.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compose, type FlightScene, NOW_MS, task, US } from '../../../test/compose-scene.ts';
import type { Command } from '../../state/answer.ts';
import type { MxHost } from '../hosts/mx-host.ts';
import type { Flight } from '../session/flight.ts';
import { FlightBudget, limitsOfFlight, resetsLeft } from './flight-budget.ts';

const upTo = (max: number, min = 0) => fc.integer({ min, max });

const anyTasks = fc
  .array(
    fc.record({
      boundSender: fc.constantFrom(null, null, US, ''),
      needsSmtpUtf8: fc.constantFrom(false, false, false, true),
      holder: fc.constantFrom('a', 'b'),
      domain: fc.constantFrom('a.example', 'b.example'),
      single: fc.boolean(),
    }),
    { maxLength: 150 },
  )
  .map((all) =>
    all.map(({ boundSender, needsSmtpUtf8, holder, domain: name, single }, n) => {
      const address = { ...task(n).address, domain: name, mailbox: `p${n}@${name}`, needsSmtpUtf8 };
      return task(n, { boundSender, holder, single, address, domainName: name });
    }),
  );

const anyScene = fc.record({
  limits: fc.record({
    refusalsPerConnection: upTo(60, 1),
    recipientsPerConnection: upTo(120, 1),
    recipientsPerTransaction: upTo(50, 1),
    transactionsPerConnection: fc.option(upTo(60, 1)),
    recipientsPerMinute: fc.option(upTo(100, 1)),
  }),
  session: fc.record({
    banner: fc.constantFrom('mx ESMTP', 'mx ESMTP Exim 4.98'),
    flights: upTo(1),
    pipelining: fc.boolean(),
    recipients: upTo(80),
    recipientsMax: fc.option(upTo(20, 1)),
    refusals: upTo(40),
    resets: upTo(95),
    transactions: upTo(40),
    smtpUtf8: fc.boolean(),
  }),
  sharers: upTo(6),
  permitted: fc.option(upTo(60), { nil: Number.POSITIVE_INFINITY }),
  mailFrom: fc.constantFrom(US, ''),
  isNewSender: fc.boolean(),
  endsWithoutGoodbye: fc.boolean(),
  areAlike: fc.boolean(),
});

function given({ endsWithoutGoodbye, areAlike, ...rest }: Scene): FlightScene {
  const host = ({ replies }: MxHost) => {
    if (endsWithoutGoodbye) replies.missedGoodbye();
    if (areAlike) replies.sawAlike();
  };
  return { ...rest, queued: 0, host };
}

type Scene = typeof anyScene extends fc.Arbitrary<infer One> ? One : never;

const count = (commands: readonly Command[], kind: Command['kind']) =>
  commands.filter((command) => command.kind === kind).length;

/** The recipients of each MAIL. */
function transactions({ commands }: Flight): { sender: string; recipients: number }[] {
  const all: { sender: string; recipients: number }[] = [];
  for (const { kind, sender } of commands)
    if (kind === 'mail') all.push({ sender, recipients: 0 });
    else if (kind === 'rcpt') all.at(-1)!.recipients += 1;
  return all;
}

/** If the host refuses whatever it can. */
function mostErrors(flight: Flight, isPipelined: boolean, { senders }: MxHost): number {
  const { commands } = flight;
  const errors = count(commands, 'rcpt') + count(commands, 'help');
  // One by one, no RCPT follows a MAIL that was refused: either is an error.
  if (!isPipelined) return errors;
  return (
    errors + commands.filter(({ kind, sender }) => kind === 'mail' && !senders.hasAccepted(sender)).length
  );
}

test('no flight exceeds a limit, and no recipient is lost', () => {
  fc.assert(
    fc.property(anyScene, anyTasks, (scene, tasks) => {
      const { flight, queue, unsupported, mxHost, session } = compose(given(scene), tasks);
      const inFlight = flight?.commands.flatMap((command) => command.task ?? []) ?? [];
      const left = queue.takeAll();
      expect(new Set([...inFlight, ...left, ...unsupported])).toEqual(new Set(tasks));
      expect(inFlight.length + left.length + unsupported.length).toBe(tasks.length);
      for (const { address } of unsupported) expect(address.needsSmtpUtf8 && !session.smtpUtf8).toBe(true);
      if (flight === null) return;
      const { limits } = mxHost;
      const { pipelining } = session;
      expect(flight.recipients).toBe(inFlight.length);
      expect(inFlight.length).toBeLessThanOrEqual(pipelining ? 100 : 8);
      expect(inFlight.length).toBeLessThanOrEqual(limits.recipientsPerConnection - session.recipients);
      expect(inFlight.length).toBeLessThanOrEqual(limits.recipientsPerMinute ?? Number.POSITIVE_INFINITY);
      expect(inFlight.length).toBeLessThanOrEqual(scene.permitted);
      const share = Math.ceil(tasks.length / Math.max(1, scene.sharers));
      expect(inFlight.length).toBeLessThanOrEqual(Math.max(8, share));
      for (const { sender, recipients } of transactions(flight)) {
        const most = Math.min(limits.recipientsPerTransaction, session.recipientsMax ?? 50);
        expect(recipients).toBeGreaterThan(0);
        expect(recipients).toBeLessThanOrEqual(sender === '' ? 1 : most);
      }
      expect(flight.transactions).toBeLessThanOrEqual(resetsLeft(session));
      const { transactionsPerConnection: most } = limits;
      if (most !== null) expect(session.transactions + flight.transactions).toBeLessThanOrEqual(most);
      const isFirstAlone = session.flights === 0 && inFlight.length === 1;
      if (!isFirstAlone) {
        const errorsLeft = limits.refusalsPerConnection - session.refusals;
        expect(mostErrors(flight, pipelining, mxHost)).toBeLessThanOrEqual(errorsLeft);
      }
      if (!session.smtpUtf8) for (const { address } of inFlight) expect(address.needsSmtpUtf8).toBe(false);
    }),
    { numRuns: 2_000 },
  );
});

test('as many fit as the errors allow, MAILs included, and not one fewer', () => {
  fc.assert(
    fc.property(upTo(60), upTo(60), upTo(12, 1), (wanted, errors, perMail) => {
      const limits = {
        recipients: 1_000,
        errors,
        transactions: 1_000,
        perTransaction: perMail,
        isMarked: false,
      };
      const mail = { perMail, mayBeRefused: true, isFirst: false };
      const fits = new FlightBudget(limits).fits(wanted, mail);
      const errorsOf = (recipients: number) => recipients + Math.ceil(recipients / perMail);
      expect(errorsOf(fits)).toBeLessThanOrEqual(errors);
      expect(fits === wanted || errorsOf(fits + 1) > errors).toBe(true);
    }),
  );
});

test('what is spent leaves less room, until nothing fits', () => {
  const { mxHost, session } = compose({ queued: 0, limits: { recipientsPerTransaction: 4 } });
  const budget = new FlightBudget(
    limitsOfFlight(session, mxHost, 50, { sharers: 1, permitted: 50, nowMs: NOW_MS }),
  );
  const mail = { perMail: 4, mayBeRefused: true, isFirst: false };
  expect(budget.room).toBe(10);
  expect(budget.fits(50, mail)).toBe(8);
  budget.spend(8, mail);
  expect(budget.room).toBe(0);
  expect(budget.hasRecipientsLeft).toBe(true);
  expect(budget.fits(50, mail)).toBe(0);
});
