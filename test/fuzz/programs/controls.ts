import { isDeepStrictEqual } from 'node:util';
import { definition } from './cases/task.ts';
import type { Client } from './client.ts';
import { endOf, NOT_FINAL } from './executions.ts';
import type { FaultKind } from './faults.ts';

type Report = (kind: FaultKind, detail: string) => void;

/** Control workflow with a known result: an expression, a script, a schema, a loop and a caught error. */
const CONTROL = definition([
  { count: { for: { each: 'x', in: '[range(5)]' }, do: [{ add: { set: { sum: '${ (.sum // 0) + $x }' } } }] } },
  {
    script: {
      run: { script: { language: 'js', code: '({ doubled: sum * 2 })', arguments: { sum: '${ .sum }' } } },
      output: { schema: { document: { type: 'object', required: ['doubled'] } } },
    },
  },
  { jq: { set: { text: '${ [.doubled, "a"] | map(tostring) | join("-") }' } } },
  {
    caught: {
      try: [{ no: { raise: { error: { type: 'https://example.org/x', status: 500, title: 'No' } } } }],
      catch: { as: 'e', do: [{ yes: { set: { title: '${ $e.title }', of: '${ .text }' } } }] },
    },
  },
]);
const EXPECTED = { title: 'No', of: '20-a' };

/** Checks that the control workflow returns the exact result and that no execution is left running. */
export async function checkControls(client: Client, slugs: readonly string[], report: Report): Promise<void> {
  const slug = `control-${client.account.name}`;
  const put = await client.call('PUT', `/api/v1/workflows/${slug}`, { yamlContent: JSON.stringify(CONTROL) });
  if (put.status !== 200) return report('wrong-result', `the control workflow is refused: ${put.text.slice(0, 300)}`);
  const started = await client.call('POST', `/api/v1/workflows/${slug}/run?wait_for_completion=30`, { input: {} });
  const ended = started.status === 201 ? await endOf(client, 'workflows', started.body, 10_000) : undefined;
  if (!isDeepStrictEqual(ended?.result, EXPECTED))
    report(
      'wrong-result',
      `the control workflow gave ${JSON.stringify(ended ?? started.text)} instead of ${JSON.stringify(EXPECTED)}`,
    );
  // Replaces the released definitions: those with triggers would start executions without limit.
  for (const name of slugs)
    await client.call('PUT', `/api/v1/workflows/${name}`, { yamlContent: JSON.stringify(CONTROL) });
  await checkNothingLeft(client, report);
}

interface Row {
  readonly id: string;
  readonly kind: 'workflow' | 'agent';
  readonly status: string;
}

/** Cancels executions that are still waiting or running, and checks that they end. */
async function checkNothingLeft(client: Client, report: Report): Promise<void> {
  let rows: Row[] = [];
  for (let round = 0; round < 20; round += 1) {
    const answer = await client.call('GET', `/api/v1/executions?status=${NOT_FINAL}&limit=100`);
    rows = (answer.body as { data?: Row[] } | undefined)?.data ?? [];
    if (answer.status === 200 && rows.length === 0) return;
    for (const { id, kind } of rows)
      await endOf(client, kind === 'agent' ? 'agents' : 'workflows', { executionId: id }, 0);
  }
  report('left-running', JSON.stringify(rows.slice(0, 5)));
}
