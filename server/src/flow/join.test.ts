// Whose a membership becomes, whatever happens in whatever order.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startService, type TestService } from '../../test/http-service.ts';
import { THE_SERVICE } from '../rules/audit.ts';
import { readSession, readToken } from '../rules/bearer-token.ts';
import type { Row } from '../store/database.ts';
import { findInvitation, takeInvitation } from '../store/invitations.ts';
import { giveMailbox, insertIdentity, insertPerson, personOfIdentity } from '../store/people.ts';
import { findSessions } from '../store/sessions.ts';
import { joinByInvitation, joinByMailbox, joinWith, makeInvitation, redeemInvitation } from './join.ts';
import { inviteMember, removeMember } from './members.ts';
import { beginPersonSession } from './sign-in.ts';

let service: TestService;
const accounts: number[] = [];
beforeAll(async () => {
  service = await startService();
  accounts.push(service.account.accountId, (await service.open()).accountId);
});
afterAll(() => service.close());

const MAILBOXES = ['ann@x.test', 'bob@x.test', 'eve@x.test'];
const OWNER = THE_SERVICE;

/** What somebody does; numbers choose among what there is. */
const STEP = fc.record({
  does: fc.constantFrom('invite', 'show', 'mail', 'redeem', 'redeemAs', 'prove', 'identity', 'remove'),
  account: fc.nat({ max: 1 }),
  mailbox: fc.nat({ max: MAILBOXES.length - 1 }),
  which: fc.nat(),
});

interface Membership extends Row {
  readonly id: number;
  readonly person: number | null;
}

test('a membership that a person has is never given to another, and each session reaches only what was proved', async () => {
  const { db } = service.context;
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 40 }), async (steps) => {
      await db.query('DELETE FROM mxproof.members');
      await db.query('DELETE FROM mxproof.people');
      const tokens: string[] = [];
      /** Of people who are signed in as themselves. */
      const sessions: Buffer[] = [];
      const had = new Map<number, number>();
      const keep = (made: { token: string; proof: string } | null) => {
        if (made) sessions.push(readSession(made.token, made.proof)!);
      };
      for (const { does, account, mailbox, which } of steps) {
        const accountId = accounts[account]!;
        const email = MAILBOXES[mailbox]!;
        const members = await db.query<{ id: number }>('SELECT id FROM mxproof.members ORDER BY id');
        const member = members[which % Math.max(1, members.length)]?.id;
        const token = tokens[which % Math.max(1, tokens.length)];
        const session = sessions[which % Math.max(1, sessions.length)] ?? null;
        await db.transaction(async (tx) => {
          if (does === 'invite') {
            const made = await inviteMember(tx, OWNER, { accountId, email, role: 'member' });
            if (typeof made !== 'string') tokens.push(made.token);
          } else if ((does === 'show' || does === 'mail') && member !== undefined)
            tokens.push(await makeInvitation(tx, member, does === 'mail'));
          else if (does === 'prove') {
            const personId = await joinByMailbox(tx, THE_SERVICE, email);
            keep(await beginPersonSession(tx, THE_SERVICE, { personId, before: null }));
          } else if (does === 'identity' && token) {
            const identity = { issuer: 'https://id.test', subject: String(which % 3) };
            const found = await findInvitation(tx, readToken(token)!);
            if (!found || found.personId !== null) return;
            const known = await personOfIdentity(tx, identity);
            const personId = known ?? (await insertPerson(tx));
            if (known === null) await insertIdentity(tx, identity, personId);
            await takeInvitation(tx, readToken(token)!);
            await joinByInvitation(tx, THE_SERVICE, found, personId);
            // A provider may say that it has verified the mailbox.
            if (which % 2 === 1) {
              await giveMailbox(tx, personId, email);
              await joinWith(tx, THE_SERVICE, personId, email);
            }
            keep(await beginPersonSession(tx, THE_SERVICE, { personId, before: null }));
          } else if (does === 'remove' && member !== undefined)
            await removeMember(tx, OWNER, { id: member, accountId });
        });
        if ((does === 'redeem' || does === 'redeemAs') && token)
          keep(
            await redeemInvitation(db, THE_SERVICE, readToken(token)!, {
              before: session,
              asPerson: does === 'redeemAs',
            }),
          );

        const now = await db.query<Membership>('SELECT id, person_id AS person FROM mxproof.members');
        for (const { id, person } of now) {
          if (had.has(id)) expect(person, `${does} ${id}`).toBe(had.get(id));
          if (person !== null) had.set(id, person);
        }
        // What a session reaches beyond its own membership is that of a person whose membership it is.
        for (const each of await findSessions(db, sessions)) {
          if (each === null || each.personId === null) continue;
          expect(now.find(({ id }) => id === each.memberId)?.person).toBe(each.personId);
        }
      }
    }),
    { numRuns: 40, seed: 47 },
  );
});

test('a mailbox of a membership that is another’s gives whoever proves it that account alone, and no person', async () => {
  const { db } = service.context;
  await db.query('DELETE FROM mxproof.members');
  await db.query('DELETE FROM mxproof.people');
  const [accountId] = accounts as [number];
  const made = await db.transaction((tx) =>
    inviteMember(tx, OWNER, { accountId, email: 'ann@x.test', role: 'member' }),
  );
  if (typeof made === 'string') throw new Error(made);
  const eve = await db.transaction(async (tx) => {
    const personId = await insertPerson(tx);
    const invitation = (await takeInvitation(tx, readToken(made.token)!))!;
    expect(await joinByInvitation(tx, THE_SERVICE, invitation, personId)).toBe(personId);
    return personId;
  });
  const mailed = await makeInvitation(db, made.member.id, true);
  const redeemed = (await redeemInvitation(db, THE_SERVICE, readToken(mailed)!, {
    before: null,
    asPerson: false,
  }))!;
  const [session] = await findSessions(db, [readSession(redeemed.token, redeemed.proof)!]);
  expect(session).toMatchObject({ memberId: made.member.id, personId: null });
  expect(await db.query('SELECT id FROM mxproof.people')).toEqual([{ id: eve }]);
});
