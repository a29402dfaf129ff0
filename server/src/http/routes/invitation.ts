// GET and POST /join/<token>: an invitation's link, which lets a person join an account.
import type { FastifyInstance } from 'fastify';
import { redeemInvitation } from '../../flow/join.ts';
import type { Database } from '../../store/database.ts';
import { findInvitation } from '../../store/invitations.ts';
import { goneInvitationPage, JOIN_POLICY, joinPage } from '../join-page.ts';
import { ACCOUNT_SESSION } from '../wire/session-cookie.ts';
import { type LinkKind, linkRoutes } from './sign-in.ts';

export const JOIN_PATH = '/join';

const INVITATION: LinkKind = {
  path: `${JOIN_PATH}/:token`,
  session: ACCOUNT_SESSION,
  policy: JOIN_POLICY,
  gone: goneInvitationPage(),
  async page(db, hash) {
    const invitation = await findInvitation(db, hash);
    return invitation && joinPage(invitation);
  },
  redeem: redeemInvitation,
};

export function invitationRoutes(app: FastifyInstance, db: Database): void {
  linkRoutes(app, db, INVITATION);
}
