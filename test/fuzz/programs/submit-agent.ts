import type { Case } from './cases/case.ts';
import { endOf } from './executions.ts';
import { judgeOf } from './judge.ts';
import type { Outcome, OutcomeName } from './outcomes.ts';
import type { Place } from './submit.ts';

const WAIT_SECONDS = 20;
const CONFIG = { runtime: 'script', limits: { timeMs: 20_000, computeMs: 1_000, memoryMb: 32, toolCalls: 200 } };

/** Creates the agent of a lane. */
export async function createAgent({ client, slug }: Pick<Place, 'client' | 'slug'>): Promise<void> {
  const created = await client.call('POST', '/api/v1/agents', { name: slug, slug, config: CONFIG });
  if (created.status !== 201) throw new Error(`the agent could not be created: ${created.text}`);
}

/** Sets the schema as the input schema of the agent and runs the agent with the value. */
export async function submitAgentSchema(place: Place, one: Case): Promise<Outcome> {
  const { marker } = place.client.account;
  const inputSchema = JSON.parse(one.text) as unknown;
  return { case: one, outcome: await submit(place, one, { ...CONFIG, inputSchema }, JSON.stringify({ marker })) };
}

/** Sets the script as the agent's script and runs the agent. */
export async function submitAgentScript(place: Place, one: Case): Promise<Outcome> {
  // An assignment, because a declaration would change which names the script can declare.
  const script = `globalThis.marker = ${JSON.stringify(place.client.account.marker)};\n${one.text}`;
  return { case: one, outcome: await submit(place, one, CONFIG, script) };
}

async function submit(place: Place, one: Case, config: object, script: string): Promise<OutcomeName> {
  const { client, slug, report } = place;
  const judge = judgeOf(report, [one]);
  const steps = [
    ...(config === place.agentConfig.current ? [] : [() => client.call('PATCH', `/api/v1/agents/${slug}`, { config })]),
    () => client.call('PUT', `/api/v1/agents/${slug}/files?path=agent.js`, { content: script.toWellFormed() }),
  ];
  // The agent's configuration is unknown until the update is accepted, and after a refusal.
  place.agentConfig.current = undefined;
  for (const step of steps) {
    const answer = await step();
    if (answer.status === 200) continue;
    judge.refusal(answer);
    return 'refused';
  }
  place.agentConfig.current = config;
  const path = `/api/v1/agents/${slug}/run?wait_for_completion=${WAIT_SECONDS}`;
  const started = await client.call('POST', path, { input: one.input });
  if (started.status !== 202) {
    judge.refusal(started);
    return 'refused';
  }
  return judge.end(await endOf(client, 'agents', started.body, 10_000));
}
