import { setTimeout as pause } from 'node:timers/promises';
import type { ServerConnection } from '../server-connection.ts';
import { type ExecutionKind, executionPath } from './api-paths.ts';

/** An execution as both kinds have it. */
export interface ExecutionOutcome {
  readonly status: string;
  /** Of a workflow. */
  readonly result?: unknown;
  /** Of an agent. */
  readonly output?: unknown;
  readonly error?: string | null;
}

const TERMINAL = new Set(['completed', 'failed', 'cancelled', 'rejected']);
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

export function hasEnded({ status }: Pick<ExecutionOutcome, 'status'>): boolean {
  return TERMINAL.has(status);
}

/** Asks until an execution has ended; undefined when it goes on after so many seconds. */
export async function waitForEnd(
  server: ServerConnection,
  kind: ExecutionKind,
  id: string,
  seconds: number,
): Promise<ExecutionOutcome | undefined> {
  const deadline = Date.now() + seconds * 1_000;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 1.5, LONGEST_PAUSE_MS)) {
    const execution = await readExecution(server, kind, id);
    if (hasEnded(execution)) return execution;
    if (Date.now() + pauseMs > deadline) return undefined;
    await pause(pauseMs);
  }
}

async function readExecution(server: ServerConnection, kind: ExecutionKind, id: string): Promise<ExecutionOutcome> {
  const body = (await (await server.request(executionPath(kind, id))).json()) as Record<string, unknown>;
  return (kind === 'agents' ? body.execution : body) as ExecutionOutcome;
}
