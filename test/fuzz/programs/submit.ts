import { isDeepStrictEqual } from 'node:util';
import type { JsonValue } from '#api/executions/json-value.ts';
import { batchDefinition, batchInput, controlResult } from './batch.ts';
import type { Case } from './cases/case.ts';
import type { Answer, Client } from './client.ts';
import { type Ended, endOf } from './executions.ts';
import { issuesOf, judgeOf, type ReportCases } from './judge.ts';
import type { Outcome, OutcomeName } from './outcomes.ts';

/** Workflow and agent of one lane. No other lane uses them. */
export interface Place {
  readonly client: Client;
  readonly slug: string;
  readonly report: ReportCases;
  /** The current configuration of the agent, if known. */
  readonly agentConfig: { current: object | undefined };
}

const HELD_SECONDS = 20;
const BRANCH = /^yamlContent\.do\.0\.all\.fork\.branches\.(\d+)(?:\.|$)/;

/** Releases a definition. With `run`, also executes it and reads the responses of the service about both. */
export async function submitDefinition(place: Place, one: Case, run: boolean): Promise<Outcome> {
  const { client, slug } = place;
  const judge = judgeOf(place.report, [one]);
  const released = await release(place, one.text);
  if (released.status !== 200) {
    judge.refusal(released);
    return { case: one, outcome: 'refused' };
  }
  if (!run) {
    // Also calls the routes that draw and compare definitions.
    if (one.number % 3 !== 0) judge.ok(await client.call('GET', `/api/v1/workflows/${slug}/graph`));
    else judge.ok(await client.call('GET', `/api/v1/workflows/${slug}`));
    if (one.number % 3 === 1)
      for (const id of await olderVersions(place))
        judge.ok(await client.call('GET', `/api/v1/workflows/${slug}/versions/${id}/diff`));
    return { case: one, outcome: 'completed' };
  }
  const input = { marker: client.account.marker, ...(one.input as Record<string, JsonValue>) };
  const ran = await execute(place, input, 6);
  if ('refused' in ran) {
    judge.refusal(ran.refused);
    return { case: one, outcome: 'refused' };
  }
  const id = ran.ended?.id;
  if (id !== undefined) judge.ok(await client.call('GET', `/api/v1/workflows/executions/${id}?includeSteps=true`));
  return { case: one, outcome: judge.end(ran.ended) };
}

/**
 * Submits expressions, schemas or scripts in one definition. Cases that are refused, or that end the whole run, are
 * separated from the others.
 */
export async function submitBatch(place: Place, cases: readonly Case[]): Promise<Outcome[]> {
  const { marker } = place.client.account;
  const outcomes: Outcome[] = [];
  let left = cases;
  while (left.length > 0) {
    const answer = await release(place, JSON.stringify(batchDefinition(left, marker)));
    if (answer.status === 200) break;
    judgeOf(place.report, left).refusal(answer);
    const refused = new Set(
      issuesOf(answer)
        .flatMap(({ field }) => BRANCH.exec(String(field))?.[1] ?? [])
        .map(Number),
    );
    if (refused.size === 0) return [...outcomes, ...(await divide(place, left, 'refused'))];
    for (const at of refused) if (left[at] !== undefined) outcomes.push({ case: left[at], outcome: 'refused' });
    left = left.filter((_, at) => !refused.has(at));
  }
  if (left.length === 0) return outcomes;
  const judge = judgeOf(place.report, left);
  const ran = await execute(place, batchInput(left, marker), 60);
  if ('refused' in ran) {
    judge.refusal(ran.refused);
    return [...outcomes, ...(await divide(place, left, 'refused'))];
  }
  const outcome = judge.end(ran.ended);
  if (outcome !== 'completed') return [...outcomes, ...(await divide(place, left, outcome))];
  const results = Array.isArray(ran.ended?.result) ? (ran.ended.result as unknown[]) : [];
  if (!isDeepStrictEqual(results.at(-1), controlResult(marker)))
    judge.wrongResult(controlResult(marker), results.at(-1));
  return [...outcomes, ...left.map((one, at) => ({ case: one, outcome: nameOf(place, one, results[at]) }))];
}

/** Submits each half separately, because one case determined the outcome of all. */
async function divide(place: Place, cases: readonly Case[], outcome: OutcomeName): Promise<Outcome[]> {
  if (cases.length === 1) return cases.map((one) => ({ case: one, outcome }));
  const half = Math.ceil(cases.length / 2);
  return [...(await submitBatch(place, cases.slice(0, half))), ...(await submitBatch(place, cases.slice(half)))];
}

function nameOf({ report }: Place, one: Case, result: unknown): OutcomeName {
  const { failed, detail } = (result ?? {}) as { failed?: unknown; detail?: unknown };
  return failed === undefined ? 'completed' : judgeOf(report, [one]).caught(failed, detail);
}

/** Runs the current version with this input until it ends. Cancels it after `waitSeconds`. */
async function execute(
  { client, slug }: Place,
  input: JsonValue,
  waitSeconds: number,
): Promise<{ readonly refused: Answer } | { readonly ended: Ended | undefined }> {
  const held = Math.min(waitSeconds, HELD_SECONDS);
  const path = `/api/v1/workflows/${slug}/run?wait_for_completion=${held}`;
  const started = await client.call('POST', path, { input });
  if (started.status !== 201) return { refused: started };
  return { ended: await endOf(client, 'workflows', started.body, (waitSeconds - held) * 1_000) };
}

function release({ client, slug }: Place, yamlContent: string): Promise<Answer> {
  return client.call('PUT', `/api/v1/workflows/${slug}`, { yamlContent });
}

async function olderVersions({ client, slug }: Place): Promise<string[]> {
  const { body } = await client.call('GET', `/api/v1/workflows/${slug}/versions?limit=2`);
  const { data = [] } = (body ?? {}) as { readonly data?: readonly { readonly id: string }[] };
  return data.slice(1).map(({ id }) => id);
}
