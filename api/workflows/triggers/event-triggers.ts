import { createHash } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import { sql } from 'kysely';
import { accountOf } from '#api/executions/engine/account.ts';
import { type MatchDeps, matchEvent } from '#api/executions/engine/event-match.ts';
import type { CloudEvent, EvaluateFor } from '#api/executions/engine/port.ts';
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

/** Events at a time. */
const MOST = 20;
/** Events that wait for others, for each filter; and maximum size of the correlation values of one, characters of JSON. A sender may send any number of events. */
const MAX_GATHERED = 200;
const MAX_LEARNED = 10_000;
/** Of the ways to put events together so many are tried. */
const MAX_TRIED = 100_000;
/** Type of the events of detections; see `detection-events.ts`. */
const DETECTION = /^trapline\.detection\./;

/**
 * Starts executions for received events; resolves to whether there may be more. Events are locked, not deleted, while they are examined: after a crash another process finds
 * by the cause what was started already.
 */
export async function fireEvents(deps: EventTriggerDeps): Promise<boolean> {
  return deps.database.transaction().execute(async (transaction) => {
    const items = await claimInbox(transaction, MOST);
    for (const item of items) {
      const trigger = await armedTrigger(transaction, item.triggerId);
      if (trigger?.spec.kind === 'event' && trigger.enabled) {
        if (trigger.spec.mode === 'all') await gather(deps, transaction, trigger, trigger.spec, item);
        else await fireOne(deps, trigger, trigger.spec, item);
      }
      await leaveInbox(transaction, item);
    }
    return items.length === MOST;
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

/** Keeps the event until there is one for each filter, with correlations that agree. The oldest go first; of what too many wait for the oldest are dropped. */
async function gather(
  deps: EventTriggerDeps,
  transaction: Db,
  trigger: ArmedTrigger,
  spec: EventSpec,
  item: InboxItem,
): Promise<void> {
  // One at a time: two that gather at once would not see what the other has.
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

/** One event for each filter, all different, whose correlations agree; the oldest first. What is not found soon is given up until the next event comes. */
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

/** The trace is that of the event that came last. The input is the list of events, as the workflow language has it: `$workflow.input[0].data`. It stands one deeper than what caused it. */
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

/** Source and id are what an event is known by; ids can be of any length. */
function nameOf(events: readonly CloudEvent[]): string {
  const hash = createHash('sha256');
  for (const { source, id } of events) hash.update(JSON.stringify([source, id]));
  return hash.digest('hex');
}
