import type { CommandContext } from '../context.ts';
import { readRuleFiles } from './rule-files.ts';

export interface BacktestStretch {
  readonly from?: string;
  readonly to?: string;
}

/** Prints what the server says that the rule would have found. Exit code 1 when the rule is refused or not all events were judged. */
export async function backtestRule(path: string, stretch: BacktestStretch, context: CommandContext): Promise<void> {
  const [file] = await readRuleFiles([path], context);
  if (file === undefined) return;
  const server = await context.server();
  const response = await server.request('/api/user-rules/backtest', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ source: file.source, ...stretch }),
  });
  const result = (await response.json()) as { complete: boolean };
  await context.write(`${JSON.stringify(result)}\n`);
  if (result.complete) return;
  context.note('not all events were judged: choose a shorter time');
  context.setExitCode(1);
}
