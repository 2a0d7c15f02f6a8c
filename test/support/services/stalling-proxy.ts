import { connect, createServer, type Socket } from 'node:net';

/**
 * A TCP relay on loopback that can stop forwarding without closing connections, as a network that drops packets does.
 */
export interface StallingProxy {
  readonly port: number;
  /** Stops forwarding on the currently open connections. Later connections work. */
  stall(): void;
  stop(): Promise<void>;
}

/** Starts the relay. `target`: a port of 127.0.0.1, or the path of a Unix socket. */
export async function startStallingProxy(target: number | string, port = 0): Promise<StallingProxy> {
  const open = new Set<Socket>();
  const proxy = createServer((client) => {
    const server = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target);
    for (const socket of [client, server]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.pipe(server).pipe(client);
  });
  await new Promise<void>((resolve) => proxy.listen(port, '127.0.0.1', resolve));
  const address = proxy.address();
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
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
