import { createHash } from 'node:crypto';
import { measureJson } from '../json-size.ts';
import type { JsonValue } from '../json-value.ts';
import type { CloudEvent } from './contract/cloud-event.ts';
import type { RunContext, StepRecord, WorkflowDefinition } from './contract/port.ts';
import type { WorkflowError } from './contract/workflow-error.ts';
import { get, getText } from './interpreter/json.ts';

/** Prefix of the types of lifecycle events of the workflow language. */
export const LIFECYCLE_TYPES = 'io.serverlessworkflow.';

/**
 * Builds the lifecycle events of one execution. Event ids are derived from the content, so a duplicate after a crash
 * has the same id.
 */
export interface Lifecycle {
  started(): CloudEvent;
  /** Returns the events for changes of steps, in order. */
  steps(records: readonly StepRecord[]): CloudEvent[];
  ended(outcome: { readonly result: JsonValue } | { readonly error: WorkflowError }, at: string): CloudEvent;
}

/** Larger outputs are omitted from events. */
const MAX_OUTPUT = { maxBytes: 64 * 1024, maxNodes: 10_000, maxDepth: 64 };

/**
 * Returns the builder of lifecycle events. Returns undefined if the definition does not enable them:
 * `document.metadata.lifecycleEvents` is `true` for all events or `workflow` for events of the workflow only.
 */
export function lifecycleOf(definition: WorkflowDefinition, context: RunContext): Lifecycle | undefined {
  const document = get(definition, 'document');
  const asked = get(get(document, 'metadata'), 'lifecycleEvents');
  if (asked !== true && asked !== 'workflow') return undefined;
  const { executionId } = context;
  const names = ['name', 'namespace', 'version'].map((name) => [name, getText(document, name) ?? '']);
  const reference = Object.fromEntries(names) as Readonly<Record<'name' | 'namespace' | 'version', string>>;
  const name = `${reference.name}-${executionId}.${reference.namespace}`;
  /** Attempts of steps that have begun. Later records of them are changes. */
  const begun = new Set<string>();

  function event(kind: string, about: string, time: string, data: Readonly<Record<string, JsonValue>>): CloudEvent {
    const type = `${LIFECYCLE_TYPES}${kind}.v1`;
    const id = createHash('sha256').update([executionId, type, about].join('\n')).digest('hex').slice(0, 32);
    return {
      specversion: '1.0',
      id,
      source: sourceOf(executionId),
      type,
      subject: name,
      time,
      datacontenttype: 'application/json',
      data,
    };
  }
  const ofWorkflow = (kind: string, time: string, data: Readonly<Record<string, JsonValue>>, about = '') =>
    event(`workflow.${kind}`, about, time, { name, ...data });

  function stepEvents({ step, attempt, kind, status, at, output, error }: StepRecord): CloudEvent[] {
    const key = `${attempt}\n${step}`;
    const ofTask = (change: string, data: Readonly<Record<string, JsonValue>>) =>
      asked === true ? [event(`task.${change}`, key, at, { workflow: name, task: step, ...data })] : [];
    const correlates = (change: string, data: Readonly<Record<string, JsonValue>>) =>
      kind === 'listen' ? [ofWorkflow(`correlation-${change}`, at, data, key)] : [];
    switch (status) {
      case 'running':
      case 'waiting': {
        if (begun.has(key)) return [];
        begun.add(key);
        const first = attempt === 1 ? ofTask('created', { createdAt: at }) : ofTask('retried', { retriedAt: at });
        return [...first, ...ofTask('started', { startedAt: at }), ...correlates('started', { startedAt: at })];
      }
      case 'completed':
        return [
          ...correlates('completed', { completedAt: at }),
          ...ofTask('completed', { completedAt: at, ...outputOf(output) }),
        ];
      case 'failed':
        return ofTask('faulted', { faultedAt: at, error: (error ?? null) as unknown as JsonValue });
      case 'cancelled':
        return ofTask('cancelled', { cancelledAt: at });
      case 'skipped':
        return [];
    }
  }

  return {
    started: () => ofWorkflow('started', context.startedAt, { definition: reference, startedAt: context.startedAt }),
    steps: (records) => records.flatMap(stepEvents),
    ended: (outcome, at) =>
      'error' in outcome
        ? ofWorkflow('faulted', at, { faultedAt: at, error: outcome.error as unknown as JsonValue })
        : ofWorkflow('completed', at, { completedAt: at, ...outputOf(outcome.result) }),
  };
}

/** Source of the lifecycle events of an execution: its path in the API. */
export const sourceOf = (executionId: string): string => `/api/v1/workflows/executions/${executionId}`;

function outputOf(output: JsonValue | undefined): { readonly output?: JsonValue } {
  if (output === undefined || !('bytes' in measureJson(output, MAX_OUTPUT))) return {};
  return { output };
}
