import { CommandError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { readEvents } from '../executions/follow.ts';
import { createPercentProgress } from '../percent-progress.ts';
import { readRuleFiles } from './rule-files.ts';

export interface BacktestStretch {
  readonly from?: string;
  readonly to?: string;
}

/**
 * Prints the server's back-test result of a rule. Queue position and progress go to standard error. Sets exit code 1 if
 * the rule is rejected or not all events were judged.
 */
export async function backtestRule(path: string, stretch: BacktestStretch, context: CommandContext): Promise<void> {
  const [file] = await readRuleFiles([path], context);
  if (file === undefined) return;
  const server = await context.server();
  const response = await server.request('/api/user-rules/backtest', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream, application/json' },
    body: JSON.stringify({ source: file.source, ...stretch }),
  });
  const result = await resultOf(response, context);
  await context.write(`${JSON.stringify(result)}\n`);
  if (result.complete) return;
  context.note('not all events were examined: choose a shorter time range');
  context.setExitCode(1);
}

interface BacktestResult {
  readonly complete: boolean;
}

/** Returns the result at the end of the stream. A server without streaming sends only the result. */
async function resultOf(response: Response, context: CommandContext): Promise<BacktestResult> {
  if (response.headers.get('content-type')?.includes('text/event-stream') !== true)
    return (await response.json()) as BacktestResult;
  const progress = createPercentProgress(context, 'judged');
  try {
    for await (const { event, data } of readEvents(response.body)) {
      const value = JSON.parse(data);
      if (event === 'position' && value.position > 0)
        context.note(`waiting in the queue of back-tests: position ${value.position}`);
      if (event === 'progress') progress.update(value.judged, value.total);
      if (event === 'result') return value;
      if (event === 'failure') throw new CommandError(`the back-test failed: ${messagesOf(value)}`);
    }
  } finally {
    progress.end();
  }
  throw new CommandError('the server ended the response before the result: run it again');
}

function messagesOf({ issues, requestId }: { issues: readonly { message: string }[]; requestId: string }): string {
  return `${issues.map(({ message }) => message).join('; ')} (request ${requestId})`;
}
