// /admin/v1 and the operator's sign-in: a door, a document and routes of their own, beside the API of accounts.
import swagger from '@fastify/swagger';
import type { FastifyInstance } from 'fastify';
import { checkParameters } from '../../http/check-parameters.ts';

import { limitSignIns } from '../../http/limit-sign-ins.ts';
import { describeBodies } from '../../http/openapi/describe-bodies.ts';
import { shareParts } from '../../http/openapi/share-parts.ts';
import { usedSchemas } from '../../http/openapi/used-schemas.ts';
import type { Door, Parts } from '../../http/route-parts.ts';
import { docsPageRoute } from '../../http/routes/docs.ts';
import { linkRoutes } from '../../http/routes/sign-in.ts';
import { type SharedFile, sendFile, sharedFile } from '../../http/shared-file.ts';
import { OPERATOR_LINK } from '../operator/sign-in-link.ts';
import { adminAccountRoutes } from './account-routes.ts';
import './account-schemas.ts';
import { adminInfo, OPERATOR_DOCS, tagged, withAllCodes } from './admin-document.ts';
import { guardAdmin } from './admin-door.ts';
import { adminAuditRoutes } from './audit-routes.ts';
import './audit-schemas.ts';
import { credentialRoutes } from './credential-routes.ts';
import { adminListRoutes } from './list-routes.ts';
import { adminSchemas } from './names.ts';
import { overviewRoutes } from './overview-routes.ts';
import { serviceRoutes } from './service-routes.ts';
import './service-schemas.ts';
import { operatorSessionRoutes, operatorSignInRoutes } from './session-routes.ts';

const open = { config: { open: true }, schema: { hide: true } };

declare module 'fastify' {
  interface FastifyInstance {
    /** The second OpenAPI document. */
    adminDocument(): object;
  }
}

export async function adminApi(app: FastifyInstance, parts: Parts, door: Door): Promise<void> {
  const { db } = parts.context;
  let document: (() => object) | undefined;
  app.decorate('adminDocument', () => document!());
  app.decorateRequest('admin', null);
  docsPageRoute(app, '/docs/operators', OPERATOR_DOCS);
  await app.register(async (operators) => {
    for (const schema of Object.values(adminSchemas)) operators.addSchema(schema);
    await operators.register(swagger, {
      decorator: 'adminSwagger' as never,
      openapi: adminInfo as object,
      transform: tagged,
      transformObject: (made) =>
        shareParts(
          withAllCodes(usedSchemas(describeBodies('openapiObject' in made ? made.openapiObject : {}))),
        ),
      refResolver: { buildLocalReference: (json) => String(json.$id) },
    });
    document = () => (operators as unknown as { adminSwagger(): object }).adminSwagger();
    await operators.register(async (browser) => {
      limitSignIns(browser, db, door.ready, door.admitLimitMs);
      operatorSignInRoutes(browser, parts);
      linkRoutes(browser, db, OPERATOR_LINK);
    });
    await operators.register(async (browser) => operatorSessionRoutes(browser, parts, door));
    await operators.register(
      async (api) => {
        let file: SharedFile;
        operators.addHook('onReady', async () => {
          const plain = Buffer.from(JSON.stringify(document!()));
          file = sharedFile({ type: 'application/json; charset=utf-8', plain, cached: 'checked' });
        });
        guardAdmin(api, parts, door);
        checkParameters(api, parts);
        api.get('/openapi.json', open, async (request, reply) => sendFile(request, reply, file));
        adminAccountRoutes(api, parts);
        credentialRoutes(api, parts);
        adminListRoutes(api, parts);
        serviceRoutes(api, parts);
        overviewRoutes(api, parts);
        adminAuditRoutes(api, parts);
      },
      { prefix: '/admin/v1' },
    );
  });
}
