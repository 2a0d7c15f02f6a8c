import { EngineStartError } from './engine.ts';

/** Another server runs on the data directory. It may be a predecessor that is still leaving. */
export function directoryInUse(): EngineStartError {
  return new EngineStartError(
    'directory_locked',
    'another process uses this PostgreSQL data directory: stop it, or choose another TRAPLINE_DATA_DIR',
  );
}

/** What PostgreSQL prints when it finds another server on its data directory. */
export function saysInUse(output: string): boolean {
  return output.includes('postmaster.pid" already exists') || output.includes('pre-existing shared memory block');
}
