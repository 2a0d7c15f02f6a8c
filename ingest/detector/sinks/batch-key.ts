import { readFileSync } from 'node:fs';

/** Returns a random UUID, from the kernel if possible: loading `node:crypto` would cost 4.5 MiB of memory. */
export function newBatchKey(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/uuid', 'latin1').trim();
  } catch {
    return process.getBuiltinModule('node:crypto').randomUUID();
  }
}
