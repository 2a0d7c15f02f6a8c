import { actorOf, userOf } from '#api/http/access/caller.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { originOf } from '#api/http/origin.ts';
import {
  detectorTokenSchema,
  enrolledSchema,
  enrolmentSchema,
  newDetectorTokenSchema,
} from '#schemas/api/detectors.ts';
import type { CreateDetectorToken } from '../create-token.ts';
import type { EnrolDetector } from '../enrol.ts';

export interface EnrolmentRoutesDeps {
  readonly createToken: CreateDetectorToken;
  readonly enrol: EnrolDetector;
}

/** Enrolment of hosts: POST /api/admin/detector-tokens and POST /api/detectors/enrolment. */
export function enrolmentRoutes(app: ApiServer, { createToken, enrol }: EnrolmentRoutesDeps): void {
  const tags = ['detectors'];

  app.post(
    '/api/admin/detector-tokens',
    {
      config: { access: { by: 'admin' } },
      schema: {
        operationId: 'createDetectorToken',
        summary: 'Create a token for a host',
        description:
          'A host exchanges the token for a key, once and before it expires: `trapline-detector enroll URL TOKEN`. Only this response contains the token.',
        tags,
        body: newDetectorTokenSchema,
        response: {
          201: detectorTokenSchema.describe('The token.'),
          ...errorResponses(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => {
      const { expiresInMinutes, hostname } = request.body;
      const ownerId = (request.caller && userOf(request.caller)) ?? null;
      const created = await createToken(
        { ownerId, hostname: hostname ?? null, minutes: expiresInMinutes },
        { actor: actorOf(request.caller), origin: originOf(request) },
      );
      return reply.code(201).send(created);
    },
  );

  app.post(
    '/api/detectors/enrolment',
    {
      config: { access: { by: 'anyone' } },
      schema: {
        operationId: 'enrolDetector',
        summary: 'Enrol a host',
        description:
          'Exchanges a one-time token for a key with the scope `events:write`, which belongs to this host and to no user. An enrolled host needs a token that was created for it; its previous key is revoked.',
        tags,
        body: enrolmentSchema,
        response: {
          201: enrolledSchema.describe('The key of the host.'),
          ...errorResponses(400, 401, 409, 413, 415, 429, 503),
        },
      },
    },
    async (request, reply) => reply.code(201).send(await enrol(request.body, originOf(request))),
  );
}
