import { z } from 'zod';
import { sessionOf } from '#api/http/access/session-of.ts';
import type { ApiServer } from '#api/http/api-server.ts';
import { errorResponses } from '#api/http/error-responses.ts';
import { queryIntegerOr } from '#api/http/queries/query-values.ts';
import { notificationSettingsSchema, personSchema } from '#schemas/api/comments.ts';
import { storableText } from '#schemas/api/storable-text.ts';
import { findNotificationSettings, saveNotificationSettings, searchPeople } from '../tables/people.ts';
import type { CaseRoutesDeps } from './deps.ts';

const query = z.strictObject({
  q: storableText(254, 0).default('').describe('Part of the name or the address; empty: all').meta({ example: 'ann' }),
  limit: queryIntegerOr(20, { min: 1, max: 100 })
    .describe('Maximum number of results; default 20, at most 100')
    .meta({ example: 20 }),
});

/** GET /api/people, GET and PUT /api/user/notifications. */
export function peopleRoutes(app: ApiServer, { database }: Pick<CaseRoutesDeps, 'database'>): void {
  app.get(
    '/api/people',
    {
      config: { access: { by: 'key-or-session', scope: 'cases:read' } },
      schema: {
        operationId: 'searchPeople',
        summary: 'Search for analysts',
        description:
          'Enabled analysts and administrators by part of their name or address. Detections, cases and tasks can be assigned to them, and comments can mention them.',
        tags: ['cases'],
        querystring: query,
        response: {
          200: z
            .object({ data: z.array(personSchema) })
            .describe('Accounts. Names that begin with the text come first.'),
          ...errorResponses(400, 401, 403, 429, 503),
        },
      },
    },
    async ({ query: { q, limit } }) => ({ data: await searchPeople(database, q.trim(), limit) }),
  );

  app.get(
    '/api/user/notifications',
    {
      config: { access: { by: 'session' } },
      schema: {
        operationId: 'getNotificationSettings',
        summary: 'Read your mail settings',
        description: 'Mails about mentions and assignments. Both are enabled by default.',
        tags: ['accounts'],
        response: { 200: notificationSettingsSchema.describe('The settings.'), ...errorResponses(401, 429, 503) },
      },
    },
    async ({ caller }) => findNotificationSettings(database, sessionOf(caller).userId),
  );

  app.put(
    '/api/user/notifications',
    {
      config: { access: { by: 'session' } },
      schema: {
        operationId: 'putNotificationSettings',
        summary: 'Change your mail settings',
        description: 'Replaces both settings of the signed-in account.',
        tags: ['accounts'],
        body: notificationSettingsSchema,
        response: {
          200: notificationSettingsSchema.describe('The changed settings.'),
          ...errorResponses(400, 401, 403, 413, 415, 429, 503),
        },
      },
    },
    async ({ caller, body }) => {
      await saveNotificationSettings(database, sessionOf(caller).userId, body);
      return body;
    },
  );
}
