import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const [LOWEST, HIGHEST] = [20_000, 32_767];

/**
 * Returns distinct free loopback ports. All are held until the last one is known. They lie below the ports that the
 * kernel assigns to connections and to programs that listen on port 0, so none of these takes a port before its service
 * has started, or during a restart. Plain JavaScript, because the training of Kafka's class archive uses it at
 * installation.
 * @param {number} count
 * @returns {Promise<number[]>}
 */
export async function freePorts(count) {
  const servers = [];
  while (servers.length < count) servers.push(await listening());
  const ports = servers.map((server) => server.address().port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** @returns {Promise<number>} */
export async function freePort() {
  const [port = 0] = await freePorts(1);
  return port;
}

/** Listens on a port of the range, or on a port chosen by the kernel if the kernel assigns the whole range. */
async function listening() {
  const highest = Math.min(HIGHEST, kernelsLowest() - 1);
  for (let tries = 0; tries < 100 && highest > LOWEST; tries += 1) {
    const server = await listen(LOWEST + Math.floor(Math.random() * (highest - LOWEST + 1))).catch(() => undefined);
    if (server !== undefined) return server;
  }
  return listen(0);
}

function listen(port) {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

function kernelsLowest() {
  return Number(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').split(/\s+/)[0]);
}
