import { Buffer } from 'node:buffer';
import type { Contents } from '#api/executions/files/contents.ts';
import { deleteExecutionFiles, putExecutionFiles } from '#api/executions/tables/execution-files.ts';
import type { Database } from '#api/postgres/database.ts';
import { inTransaction } from '#api/postgres/transaction.ts';
import { recordAgentOutcome } from '../tables/agent-executions.ts';
import type { NamedContent } from '../tables/agent-files.ts';
import { deleteRunCalls } from '../tables/agent-run-calls.ts';

export const ISSUES_FILE = 'issues.md';
export const TRACE_FILE = 'trace.jsonl';

export interface OutcomeFiles {
  readonly output: readonly NamedContent[];
  readonly issues: readonly string[];
  readonly trace: Buffer;
}

/**
 * Writes results and files of a run if this worker still holds it; otherwise returns false. Deletes what an earlier
 * attempt left.
 */
export async function keepOutcome(
  { database, contents }: { readonly database: Database; readonly contents: Contents },
  claim: { readonly executionId: string; readonly epoch: number },
  outcome: Parameters<typeof recordAgentOutcome>[2],
  files: OutcomeFiles,
): Promise<boolean> {
  const issues = await contents.putBytes(Buffer.from(issuesText(files.issues)));
  const trace = await contents.putBytes(files.trace);
  return inTransaction(database, async (transaction) => {
    if (!(await recordAgentOutcome(transaction, claim, outcome))) return false;
    await deleteRunCalls(transaction, claim.executionId);
    await deleteExecutionFiles(transaction, claim.executionId, ['output', 'issues', 'trace']);
    await putExecutionFiles(transaction, claim.executionId, [
      ...files.output.map((file) => ({ ...file, kind: 'output' as const })),
      { ...issues, kind: 'issues', path: ISSUES_FILE, contentType: 'text/markdown' },
      { ...trace, kind: 'trace', path: TRACE_FILE, contentType: 'application/x-ndjson' },
    ]);
    return true;
  });
}

/** Formats one line per issue. Collapses white space, including line breaks. */
function issuesText(issues: readonly string[]): string {
  if (issues.length === 0) return '# Issues\n\nNone.\n';
  return `# Issues\n\n${issues.map((issue) => `- ${issue.replaceAll(/\s+/g, ' ').slice(0, 2000)}`).join('\n')}\n`;
}
