import { CommandError } from '../command-error.ts';
import type { CommandContext } from '../context.ts';
import { readRuleFiles } from './rule-files.ts';
import { failuresOf } from './test-rules.ts';

interface PushedRule {
  readonly id: string;
  readonly version: number;
  readonly sha256: string;
  readonly outcome: 'created' | 'updated' | 'unchanged';
}

/**
 * Runs the test cases of the rules, then pushes those that pass. Prints one JSON object per rule. Sets exit code 1 if
 * one is rejected.
 */
export async function pushRules(paths: readonly string[], context: CommandContext): Promise<void> {
  const files = await readRuleFiles(paths, context);
  const quiet = { ...context, write: async () => {} };
  const server = await context.server();
  for (const file of files) {
    if ((await failuresOf(file, quiet)) > 0) continue;
    try {
      const response = await server.request('/api/user-rules', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ source: file.source }),
      });
      const { id, version, sha256, outcome } = (await response.json()) as PushedRule;
      await context.write(`${JSON.stringify({ id, version, sha256, outcome })}\n`);
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      context.note(`${file.path}: ${error.message}`);
      context.setExitCode(1);
    }
  }
}

/** Returns the sources of the rules on the server, each as last pushed. */
export async function pushedSources(context: CommandContext): Promise<string[]> {
  const server = await context.server();
  const { data } = (await (await server.request('/api/user-rules')).json()) as { data: { id: string }[] };
  const sources: string[] = [];
  for (const { id } of data) {
    const { source } = (await (await server.request(`/api/user-rules/${id}`)).json()) as { source: string };
    sources.push(`${source.trimEnd()}\n`);
  }
  return sources;
}
