import { setTimeout as pause } from 'node:timers/promises';
import type { ServerConnection } from '../server-connection.ts';
import { type ExecutionKind, executionPath } from './api-paths.ts';

/** Fields of executions of both kinds. */
export interface ExecutionOutcome {
  readonly status: string;
  /** Of a workflow. */
  readonly result?: unknown;
  /** Of an agent. */
  readonly output?: unknown;
  readonly error?: string | null;
}

const TERMINAL = new Set(['completed', 'failed', 'cancelled', 'rejected']);
/** Pause between two requests if the server does not support long polling. */
const PAUSE_MS = 2_000;
const MAX_HOLD_SECONDS = 60;

export function hasEnded({ status }: Pick<ExecutionOutcome, 'status'>): boolean {
  return TERMINAL.has(status);
}

/**
 * Polls an execution with long polling until it has ended. Returns undefined if it is still running after the given
 * number of seconds.
 */
export async function waitForEnd(
  server: ServerConnection,
  kind: ExecutionKind,
  id: string,
  seconds: number,
): Promise<ExecutionOutcome | undefined> {
  const deadline = Date.now() + seconds * 1_000;
  for (;;) {
    const askedMs = Date.now();
    const hold = Math.min(MAX_HOLD_SECONDS, Math.max(0, Math.floor((deadline - askedMs) / 1_000)));
    const execution = await readExecution(server, kind, id, hold);
    if (execution !== undefined && hasEnded(execution)) return execution;
    const leftMs = deadline - Date.now();
    if (leftMs <= 0) return undefined;
    // The server responds immediately if it has reached its limit of held connections.
    await pause(Math.min(leftMs, Math.max(0, askedMs + PAUSE_MS - Date.now())));
  }
}

/** Returns undefined if the connection broke during the long poll. */
async function readExecution(
  server: ServerConnection,
  kind: ExecutionKind,
  id: string,
  holdSeconds: number,
): Promise<ExecutionOutcome | undefined> {
  const path = executionPath(kind, id, `?wait_for_completion=${holdSeconds}`);
  const response = await server.request(path);
  const body = await response.json().then(
    (value) => value as Record<string, unknown>,
    () => undefined,
  );
  if (body === undefined) return undefined;
  return (kind === 'agents' ? body.execution : body) as ExecutionOutcome;
}
