import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createOutboundFetch } from '#api/outbound/outbound-fetch.ts';
import type { OutboundFetch } from '#api/outbound/port.ts';
import { atEnd } from '#test/support/at-end.ts';

const PETS = [1, 2, 3].map((id) => ({ id, name: `pet ${id}`, status: 'available' }));
/** The part of the service description that the kit uses. */
const DESCRIPTION = {
  swagger: '2.0',
  info: { title: 'Pets', version: '1.0.0' },
  host: 'petstore.swagger.io',
  basePath: '/v2',
  schemes: ['https', 'http'],
  paths: {
    '/pet/findByStatus': {
      get: {
        operationId: 'findPetsByStatus',
        parameters: [{ name: 'status', in: 'query', required: true, type: 'array', collectionFormat: 'multi' }],
      },
    },
    '/pet/{petId}': {
      get: { operationId: 'getPetById', parameters: [{ name: 'petId', in: 'path', required: true, type: 'integer' }] },
    },
  },
};

/**
 * Local replacements for the internet services that the kit calls, behind the outbound guard. Only the addresses
 * change: https://petstore.swagger.io and https://httpbin.org resolve to a local server.
 */
export async function startServices(): Promise<OutboundFetch> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const guarded = createOutboundFetch({ allow: ['127.0.0.0/8'] });
  atEnd(async () => {
    await guarded.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return ({ url, ...request }) => {
    const { hostname, pathname, search } = new URL(url);
    return guarded({ ...request, url: `http://127.0.0.1:${port}/${hostname}${pathname}${search}` });
  };
}

function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const send = (status: number, value: unknown) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
  const pets = '/petstore.swagger.io/v2';
  const login = /^\/httpbin\.org\/basic-auth\/([^/]+)\/([^/]+)$/.exec(pathname);
  if (login !== null) {
    const expected = Buffer.from(`${login[1]}:${login[2]}`).toString('base64');
    const authenticated = request.headers.authorization === `Basic ${expected}`;
    return void send(authenticated ? 200 : 401, { authenticated });
  }
  if (pathname === `${pets}/swagger.json`) return void send(200, DESCRIPTION);
  if (pathname === `${pets}/pet/findByStatus`)
    return void send(
      200,
      PETS.filter(({ status }) => searchParams.getAll('status').includes(status)),
    );
  const pet = PETS.find(({ id }) => pathname === `${pets}/pet/${id}`);
  send(pet === undefined ? 404 : 200, pet ?? { message: 'not found' });
}
