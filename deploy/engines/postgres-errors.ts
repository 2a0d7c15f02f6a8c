import { EngineStartError } from './engine.ts';

/** Another server is running on the data directory. It may be a previous one that is still stopping. */
export function directoryInUse(): EngineStartError {
  return new EngineStartError(
    'directory_locked',
    'another process uses this PostgreSQL data directory: stop it, or choose another TRAPLINE_DATA_DIR',
  );
}

/** Returns true if the output is PostgreSQL's message about another server on its data directory. */
export function saysInUse(output: string): boolean {
  return output.includes('postmaster.pid" already exists') || output.includes('pre-existing shared memory block');
}
