import { connect, createServer, type Socket } from 'node:net';

/** A TCP relay on loopback that can stop relaying without closing anything, as a network that drops packets does. */
export interface StallingProxy {
  readonly port: number;
  /** Bytes of the connections open now stay where they are; later connections work. */
  stall(): void;
  stop(): Promise<void>;
}

export async function startStallingProxy(targetPort: number, port = 0): Promise<StallingProxy> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = connect(targetPort, '127.0.0.1');
    for (const socket of [client, target]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        target.destroy();
      });
    }
    client.pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    port: address.port,
    stall() {
      for (const socket of open) {
        socket.unpipe();
        socket.pause();
      }
    },
    async stop() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
