import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { localPath } from '#schemas/api/return-path.ts';
import { apiError } from '../api-error.ts';
import type { ApiServer } from '../api-server.ts';
import { errorResponses } from '../error-responses.ts';
import { sendPage } from '../pages/oauth-page.ts';
import { wantsPage } from '../wants-page.ts';
import { type ConsoleFiles, renderConsolePage } from './page.ts';

/** Not rate-limited: one page loads many files, and a user must not be blocked for loading the console. */
const config = { access: { by: 'anyone' }, limiting: 'none', logged: 'refusals' } as const;
const tags = ['console'];
/** Names of built files contain a content hash. */
const IMMUTABLE_MAX_AGE_MS = 365 * 24 * 60 * 60_000;
const FILE_NAME = /^[\w.-]{1,128}$/;

const page = {
  200: { description: 'The page.', content: { 'text/html': { schema: z.string() } } },
  ...errorResponses(401, 403, 404),
};
const file = {
  200: { description: 'The file.', content: { 'application/octet-stream': { schema: z.any() } } },
  ...errorResponses(400, 404),
};

/** Serves the web console: one HTML page for all its paths, and its files. */
export async function consoleRoutes(app: ApiServer, console: ConsoleFiles): Promise<void> {
  const { folder } = console;
  const assets = join(folder, 'assets');
  const sections = z
    .tuple([z.string()], z.string())
    .parse(JSON.parse(readFileSync(join(folder, 'sections.json'), 'utf8')));
  const segment = `:section(^(?:${sections.join('|')})$)`;
  const section = { section: z.enum(sections).describe('Section of the console') };
  await app.register(fastifyStatic, { root: assets, serve: false, preCompressed: true });

  app.notFoundPage = async (reply) => sendConsole(undefined, reply.code(404));

  async function sendConsole(_request: unknown, reply: FastifyReply) {
    const { html, policy } = await renderConsolePage(console);
    return reply.header('content-security-policy', policy).type('text/html; charset=utf-8').send(html);
  }

  const description =
    'The web console. The browser renders it with data from the API. Administration paths require the role admin.';
  app.get(
    '/',
    { config, schema: { operationId: 'getConsole', summary: 'The console', description, tags, response: page } },
    sendConsole,
  );
  for (const [path, operationId, summary, params] of [
    [`/${segment}`, 'getConsoleSection', 'A section of the console', z.object(section)],
    [
      `/${segment}/*`,
      'getConsolePage',
      'A page of the console',
      z.object({ ...section, '*': z.string().describe('Page of the section') }),
    ],
  ] as const)
    app.get(
      path,
      {
        config,
        errorHandler: leadToSignIn,
        schema: { operationId, summary, description, tags, params, response: page },
      },
      sendConsole,
    );
  app.get(
    '/icon.svg',
    {
      config,
      schema: {
        operationId: 'getConsoleIcon',
        summary: 'The icon',
        description: 'The icon of the console.',
        tags,
        response: {
          200: { description: 'The icon.', content: { 'image/svg+xml': { schema: z.any() } } },
          ...errorResponses(404),
        },
      },
    },
    async (_request, reply) => reply.sendFile('icon.svg', folder),
  );
  app.get(
    '/assets/:file',
    {
      config,
      schema: {
        operationId: 'getConsoleFile',
        summary: 'A file of the console',
        description:
          'Scripts and styles of the console. The names contain a content hash, and browsers cache the files.',
        tags,
        params: z.object({ file: z.string().regex(FILE_NAME).describe('Name of the file') }),
        response: file,
      },
    },
    async (request, reply) => {
      if (!existsSync(join(assets, request.params.file))) throw apiError('not_found', 'there is no such file');
      reply.removeHeader('cache-control');
      return reply.sendFile(request.params.file, assets, { maxAge: IMMUTABLE_MAX_AGE_MS, immutable: true });
    },
  );
}

/**
 * Sends the sign-in page or an error page to a browser that opens an administration page. Other clients get the error
 * envelope.
 */
function leadToSignIn(error: FastifyError, request: FastifyRequest, reply: FastifyReply): void {
  if (!wantsPage(request)) throw error;
  if (error.statusCode === 401) {
    const returnTo = localPath(request.url);
    reply.redirect(returnTo === undefined ? '/sign-in' : `/sign-in?returnTo=${encodeURIComponent(returnTo)}`);
    return;
  }
  if (error.statusCode !== 403) throw error;
  sendPage(reply.code(403), {
    en: {
      title: 'Administrators only',
      text: ['You need the Administrator role to see this page. Ask an administrator for it.'],
      links: [{ href: '/', text: 'Go to the console' }],
    },
    de: {
      title: 'Nur für Administratoren',
      text: ['Für diese Seite brauchen Sie die Rolle Administrator. Bitten Sie einen Administrator darum.'],
      links: [{ href: '/', text: 'Zur Konsole' }],
    },
  });
}
