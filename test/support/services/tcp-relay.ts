import { connect, createServer, type Server, type Socket } from 'node:net';

export interface TcpRelay {
  /** Refuses new connections and resets open ones, as a killed server does. */
  close(): Promise<void>;
}

/**
 * Forwards connections to 127.0.0.1:port to a Unix socket. Gives the embedded engine an address that a URL can contain.
 */
export async function startTcpRelay(port: number, socketPath: string): Promise<TcpRelay> {
  const clients = new Set<Socket>();
  const server: Server = createServer({ noDelay: true }, (client) => {
    clients.add(client);
    const engine = connect(socketPath);
    client.pipe(engine).pipe(client);
    client
      .on('error', () => {})
      .on('close', () => {
        clients.delete(client);
        engine.destroy();
      });
    engine.on('error', () => client.resetAndDestroy());
  });
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject).listen(port, '127.0.0.1', resolve);
  await promise;
  return {
    async close() {
      const closed = new Promise((done) => server.close(done));
      for (const client of clients) client.resetAndDestroy();
      await closed;
    },
  };
}
