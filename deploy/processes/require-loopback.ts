import { networkInterfaces } from 'node:os';
import { usageError } from '../cli/command-error.ts';
import { isLoopback } from '../config/loopback.ts';
import type { Config } from '../config.ts';

/**
 * Rejects a start that needs 127.0.0.1 if the loopback interface is down, as in a new network namespace. Programs could
 * listen there, but no connection would arrive.
 */
export function requireLoopback({ http }: Config): void {
  const needed = http.host === 'localhost' || http.host.startsWith('127.');
  const up = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  if (!needed || up.some(({ address, family }) => family === 'IPv4' && isLoopback(address))) return;
  throw usageError('no network interface with the address 127.0.0.1 is up: bring it up (ip link set lo up)');
}
