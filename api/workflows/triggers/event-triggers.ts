import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { accountOf } from '#api/executions/engine/account.ts';
import type { CloudEvent } from '#api/executions/engine/contract/cloud-event.ts';
import { type MatchDeps, matchEvent } from '#api/executions/engine/event-match.ts';
import type { EvaluateFor } from '#api/executions/expressions/evaluate.ts';
import { equalJson } from '#api/executions/expressions/fast-path.ts';
import type { Schemas } from '#api/executions/json-schema/schemas.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import type { Db } from '#api/postgres/database.ts';
import { readStoredTrace } from '#schemas/tracing/trace-context.ts';
import {
  claimInbox,
  contentOfGathered,
  dropGathered,
  type GatheredEvent,
  gatherEvent,
  gatheredEvents,
  type InboxItem,
  leaveInbox,
  trimGathered,
} from '../tables/trigger-inbox.ts';
import { type ArmedTrigger, armedTrigger } from '../tables/workflow-triggers.ts';
import type { TriggerSpec } from './spec.ts';
import { type StartDeps, startTriggered } from './start.ts';

export interface EventTriggerDeps extends StartDeps {
  readonly evaluate: EvaluateFor;
  readonly schemas: Pick<Schemas, 'matches'>;
  readonly logger: Pick<FastifyBaseLogger, 'warn'>;
}

type EventSpec = Extract<TriggerSpec, { kind: 'event' }>;

/** Number of events per transaction. */
const MAX_EVENTS = 20;
/**
 * Maximum number of collected events per filter, and maximum size of the correlation values of one event in characters
 * of JSON. A sender may send any number of events.
 */
const MAX_GATHERED = 200;
const MAX_LEARNED = 10_000;
/** Maximum number of combinations of events to try. */
const MAX_TRIED = 100_000;
/** Matches the types of events of detections; see `detection-events.ts`. */
const DETECTION = /^trapline\.detection\./;

/**
 * Starts executions for received events. Resolves to true if there may be more. Events are locked while they are
 * processed, and deleted only afterwards. After a crash, another process detects by the cause which executions were
 * already started.
 */
export async function fireEvents(deps: EventTriggerDeps): Promise<boolean> {
  return deps.database.transaction().execute(async (transaction) => {
    const items = await claimInbox(transaction, MAX_EVENTS);
    for (const item of items) {
      const trigger = await armedTrigger(transaction, item.triggerId);
      if (trigger?.spec.kind === 'event' && trigger.enabled) {
        if (trigger.spec.mode === 'all') await gather(deps, transaction, trigger, trigger.spec, item);
        else await fireOne(deps, trigger, trigger.spec, item);
      }
      await leaveInbox(transaction, item);
    }
    return items.length === MAX_EVENTS;
  });
}

const matchDeps = ({ evaluate, schemas }: EventTriggerDeps, { ownerId }: ArmedTrigger): MatchDeps => ({
  evaluate: (expression, input, variables) => evaluate(expression, input, variables, accountOf(ownerId)),
  schemas,
  owner: ownerId ?? undefined,
});

async function fireOne(deps: EventTriggerDeps, trigger: ArmedTrigger, spec: EventSpec, item: InboxItem): Promise<void> {
  for (const filter of spec.filters) {
    if ((await matchEvent(filter, item.event, {}, matchDeps(deps, trigger))) === undefined) continue;
    await startBy(deps, trigger, [item], item.trace);
    return;
  }
}

/**
 * Collects the event until there is one event per filter with equal correlation values. Oldest events are used first.
 * Above the maximum, the oldest are dropped.
 */
async function gather(
  deps: EventTriggerDeps,
  transaction: Db,
  trigger: ArmedTrigger,
  spec: EventSpec,
  item: InboxItem,
): Promise<void> {
  // Serialized: two concurrent transactions would not see each other's events.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${trigger.id}, 0))`.execute(transaction);
  for (const [index, filter] of spec.filters.entries()) {
    const learned = await matchEvent(filter, item.event, {}, matchDeps(deps, trigger));
    if (learned === undefined || JSON.stringify(learned).length > MAX_LEARNED) continue;
    await gatherEvent(transaction, item, index, learned);
    await trimGathered(transaction, trigger.id, index, MAX_GATHERED);
  }
  const complete = combine(spec.filters.length, await gatheredEvents(transaction, trigger.id));
  if (complete === undefined) return;
  const contents = new Map(
    (await contentOfGathered(transaction, trigger.id, complete)).map((content) => [content.eventSeq, content]),
  );
  await startBy(
    deps,
    trigger,
    complete.flatMap(({ eventSeq }) => contents.get(eventSeq) ?? []),
    item.trace,
  );
  await dropGathered(
    transaction,
    trigger.id,
    complete.map(({ eventSeq }) => eventSeq),
  );
}

/**
 * Returns one event per filter, all different, with equal correlation values, oldest first. Gives up after `MAX_TRIED`
 * combinations until the next event arrives.
 */
function combine(filters: number, gathered: readonly GatheredEvent[]): GatheredEvent[] | undefined {
  let tried = 0;
  const choose = (
    filter: number,
    chosen: readonly GatheredEvent[],
    learned: Readonly<Record<string, JsonValue>>,
  ): GatheredEvent[] | undefined => {
    if (filter === filters) return [...chosen];
    for (const candidate of gathered) {
      if (++tried > MAX_TRIED) return undefined;
      if (candidate.filter !== filter || chosen.some(({ eventSeq }) => eventSeq === candidate.eventSeq)) continue;
      const agrees = Object.entries(candidate.learned).every(
        ([name, value]) => !Object.hasOwn(learned, name) || equalJson(learned[name] ?? null, value),
      );
      const found = agrees
        ? choose(filter + 1, [...chosen, candidate], { ...learned, ...candidate.learned })
        : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return choose(0, [], {});
}

/**
 * Starts the workflow with the trace of the last event. The input is the list of events, as the workflow language
 * requires: `$workflow.input[0].data`. Its causal chain is one longer than that of its cause.
 */
async function startBy(
  deps: EventTriggerDeps,
  trigger: ArmedTrigger,
  causes: readonly { readonly event: CloudEvent; readonly causation: number }[],
  trace: string | null,
): Promise<void> {
  const events = causes.map(({ event }) => event);
  const type = events.some((event) => DETECTION.test(event.type)) ? 'detection' : 'event';
  const { outcome } = await startTriggered(deps, {
    trigger,
    type,
    occurrence: nameOf(events),
    input: events as unknown as JsonValue,
    at: new Date(),
    causation: Math.max(...causes.map(({ causation }) => causation)) + 1,
    trace: readStoredTrace(trace),
  });
  if (outcome === 'too-large')
    deps.logger.warn(
      { trigger: trigger.id, workflow: trigger.workflowId },
      'events are too large together to be the input of a workflow: it did not begin',
    );
}

/** Returns a key of the events. Source and id identify an event; ids can have any length, so they are hashed. */
function nameOf(events: readonly CloudEvent[]): string {
  const hash = createHash('sha256');
  for (const { source, id } of events) hash.update(JSON.stringify([source, id]));
  return hash.digest('hex');
}
