import type { CommandContext } from '../context.ts';
import type { ServerConnection } from '../server-connection.ts';
import type { ExecutionKind } from './api-paths.ts';
import { waitForEnd } from './wait-for-end.ts';

const DEFAULT_WAIT_SECONDS = 600;

/** Value of `--wait` or `--wait SECONDS`. */
export type Wait = true | number | undefined;

/**
 * Starts an execution and prints one JSON object: its id, and with `wait` its result. Sets exit code 1 if it did not
 * complete.
 */
export async function runAndPrint(
  context: CommandContext,
  server: ServerConnection,
  {
    kind,
    path,
    init,
    wait,
  }: { readonly kind: ExecutionKind; readonly path: string; readonly init: RequestInit; readonly wait: Wait },
): Promise<void> {
  const { executionId } = (await (await server.request(path, init)).json()) as { executionId: string };
  if (wait === undefined) {
    await context.write(`${JSON.stringify({ executionId })}\n`);
    return;
  }
  context.note(`${executionId} is running`);
  const ended = await waitForEnd(server, kind, executionId, wait === true ? DEFAULT_WAIT_SECONDS : wait);
  if (ended === undefined) {
    await context.write(`${JSON.stringify({ executionId, status: 'timeout' })}\n`);
    context.note(`still running; follow it with: trapline executions follow ${executionId}`);
    context.setExitCode(1);
    return;
  }
  const { status, result, output, error } = ended;
  await context.write(
    `${JSON.stringify({ executionId, status, result: result ?? output, error: error ?? undefined })}\n`,
  );
  if (status !== 'completed') context.setExitCode(1);
}
