import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';

const [LOWEST, HIGHEST] = [20_000, 32_767];

/**
 * Distinct free loopback ports: all are held until the last is known. They lie below those that the kernel gives to connections and to programs that
 * listens on port 0, so that none of these takes one before its service has started, or while it is restarted. Plain JavaScript: the training
 * of Kafka's class archive needs it too, at installation.
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

/** A server on a port of the range; on one of the kernel's choice where that has the whole range. */
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
