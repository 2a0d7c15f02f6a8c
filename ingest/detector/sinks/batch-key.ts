import { readFileSync } from 'node:fs';

/**
 * A random UUID, from the kernel where there is one: loading `node:crypto` for it would cost the detector 4.5 MiB.
 */
export function newBatchKey(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/uuid', 'latin1').trim();
  } catch {
    return process.getBuiltinModule('node:crypto').randomUUID();
  }
}
