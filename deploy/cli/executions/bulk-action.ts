import { setTimeout as pause } from 'node:timers/promises';
import type { CommandContext } from '../context.ts';
import { workflowPath } from './api-paths.ts';

export interface BulkOptions {
  readonly workflow: string;
  readonly status?: string;
  readonly from?: string;
  readonly to?: string;
  readonly version?: 'latest' | 'same';
  readonly yes?: boolean;
}

interface Progress {
  readonly id: string;
  readonly total: number;
  readonly done: number;
  readonly skipped: number;
  readonly endedAt: string | null;
}

const POLL_MS = 1_000;

/**
 * Counts the executions of a bulk action. With `yes`, also starts it, reports its progress and prints its result as
 * JSON.
 */
export async function runBulkAction(
  context: CommandContext,
  action: 'cancel' | 'replay',
  { workflow, status, from, to, version, yes }: BulkOptions,
): Promise<void> {
  const server = await context.server();
  const statuses = status?.split(',').map((one) => one.trim());
  const body = { action, statuses, from, to, version };
  const post = async <T>(path: string, sent: object): Promise<T> => {
    const headers = { 'content-type': 'application/json' };
    const response = await server.request(workflowPath(workflow, path), {
      method: 'POST',
      headers,
      body: JSON.stringify(sent),
    });
    return (await response.json()) as T;
  };
  const counted = await post<{ count: number; max: number }>('/bulk-actions/count', body);
  if (!yes) {
    await context.write(`${JSON.stringify(counted)}\n`);
    context.note(`nothing was changed; add --yes to ${action} them`);
    return;
  }
  let progress = await post<Progress>('/bulk-actions', { ...body, expected: counted.count });
  while (progress.endedAt === null) {
    await pause(POLL_MS);
    const response = await server.request(workflowPath(workflow, `/bulk-actions/${progress.id}`));
    progress = (await response.json()) as Progress;
    context.note(`${progress.done + progress.skipped} of ${progress.total}`);
  }
  await context.write(`${JSON.stringify(progress)}\n`);
}
