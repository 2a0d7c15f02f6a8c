import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { seededRandom } from '#test/support/seeded-random.ts';

/**
 * Starts a proxy that sets another client address on every request: a fuzzer with one address would exceed the rate
 * limit.
 */
export async function startCrowd(target: string): Promise<{ url: string; stop(): void }> {
  const { hostname, port } = new URL(target);
  const random = seededRandom(1);
  // The proxy accepts large headers, so that the server itself rejects them.
  const server = createServer({ maxHeaderSize: 2 ** 20 }, (incoming, outgoing) => {
    const address = `198.18.${random.between(0, 255)}.${random.between(1, 254)}`;
    const { method, url: path, headers } = incoming;
    const onward = request(
      { hostname, port, method, path, headers: { ...headers, 'x-forwarded-for': address } },
      (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(outgoing);
      },
    );
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.closeAllConnections();
      server.close();
    },
  };
}
