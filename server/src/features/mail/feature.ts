// Mail to the people of accounts: their list is done, credits are low, an endpoint was switched off. The events are written by
// triggers (migration 0036); alerts, which are mail of another kind, use send-mail.ts too.
import { localUrl } from '../../settings/local-url.ts';
import type { Feature } from '../feature.ts';
import { ownMemberRoutes } from './own-member-routes.ts';
import { startMail } from './start-mail.ts';
import './own-member-schema.ts';
import { stopMailRoutes } from './stop-mail.ts';
import { sweepLinks } from './stored-link-mails.ts';
import { sweepMail } from './stored-mail.ts';

export const mail: Feature = {
  name: 'mail',
  sweeps: [sweepMail, sweepLinks],
  routes: ownMemberRoutes,
  async pages(app, parts, door) {
    await stopMailRoutes(app, parts, door);
  },
  join: ({ config, context: { db }, log }) => ({
    async start({ postTarget, stopGraceMs }) {
      const { mailSender, publicUrl } = config;
      if (mailSender === null) return { stop: async () => {} };
      return startMail({
        db,
        sender: mailSender,
        target: { dnsServers: postTarget.dnsServers, watchdog: postTarget.watchdog },
        publicUrl,
        localUrl: localUrl(config, config.port),
        log,
        stopGraceMs,
      });
    },
  }),
};
