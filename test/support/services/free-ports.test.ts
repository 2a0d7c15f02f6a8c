import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { freePorts } from './free-ports.mjs';

test('ports are distinct, and outside the range that the kernel assigns', async () => {
  const range = await readFile('/proc/sys/net/ipv4/ip_local_port_range', 'utf8');
  const lowest = Number(range.split(/\s+/)[0]);
  const ports = await freePorts(50);
  expect(new Set(ports).size).toBe(50);
  // Some machines assign nearly all ports to connections.
  if (lowest > 21_000) expect(Math.max(...ports)).toBeLessThan(lowest);
});

test('all ports can be used at once', async () => {
  const [port] = await freePorts(1);
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
});
