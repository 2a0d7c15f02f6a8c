import type { WorkflowDefinition } from '#api/executions/engine/contract/port.ts';
import type { JsonValue } from '#api/executions/json-value.ts';

/**
 * Workloads of the engine and of the libraries that it is compared with: three consecutive steps, or ten steps of which
 * eight run in parallel.
 */
export type Workload = 'three' | 'ten';

export const THREE_STEPS = ['first', 'second', 'third'] as const;
/** Parallel steps between a first and a last step. */
export const PARALLEL_STEPS = ['1', '2', '3', '4', '5', '6', '7', '8'] as const;
export const STEPS: Readonly<Record<Workload, number>> = { three: THREE_STEPS.length, ten: PARALLEL_STEPS.length + 2 };

const document = { dsl: '1.0.0', namespace: 'bench', name: 'bench', version: '1.0.0' };
const step = (code: string) => ({ run: { script: { language: 'javascript', code } } });
const steps = (names: readonly string[]): JsonValue => names.map((name) => ({ [name]: step(name) }));

/** Workflow definitions for the engine, by workload. */
export const DEFINITIONS: Readonly<Record<Workload | 'reporting' | 'hang', WorkflowDefinition>> = {
  three: { document, do: steps(THREE_STEPS) },
  ten: {
    document,
    do: [{ first: step('first') }, { fan: { fork: { branches: steps(PARALLEL_STEPS) } } }, { last: step('last') }],
  },
  // The first step reports that the execution has begun.
  reporting: { document, do: steps(['report', 'second', 'third']) },
  hang: { document, do: steps(['hang']) },
};

/** Name of the application and of its queue in DBOS. */
export const DBOS_APPLICATION = 'bench';
export const DBOS_QUEUE = 'bench';
