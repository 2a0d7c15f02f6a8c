import { readStoredTrace, type TraceContext } from '#schemas/tracing/trace-context.ts';
import { inSpan, NO_SPAN, type Span, type Tracing } from '#schemas/tracing/tracing.ts';
import type { ExecutionLease } from '../worker/leased-executions.ts';
import type { RunTaskCommand } from './run-port.ts';

/**
 * Starts the span of one run, from the claim of an execution until it waits or ends. All runs of an execution continue
 * the acceptance span, whose id is in the row. So the trace continues in another process and after a restart. Returns
 * an empty span if the acceptance span is not recorded.
 */
export function startRun(tracing: Tracing, { row }: ExecutionLease): Span {
  const parent = tracing.isOn ? readStoredTrace(row.trace) : undefined;
  if (parent === undefined) return NO_SPAN;
  const { kind, id, workflowId, agentId, epoch } = row;
  const ofAgent = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.id': agentId ?? undefined };
  return tracing.start(kind === 'agent' ? 'invoke_agent' : 'run workflow', {
    kind: kind === 'agent' ? 'internal' : 'consumer',
    parent,
    attributes: {
      'trapline.execution.id': id,
      'trapline.workflow.id': workflowId ?? undefined,
      'trapline.execution.claims': epoch,
      ...(kind === 'agent' ? ofAgent : {}),
    },
  });
}

/** Runs a task within a child span of the run. `run` receives the context to propagate. */
export function traceTask<T>(
  tracing: Tracing,
  parent: Span,
  { task, step, attempt }: Pick<RunTaskCommand, 'task' | 'step' | 'attempt'>,
  run: (trace: TraceContext | undefined) => Promise<T>,
): Promise<T> {
  if (!parent.isRecorded) return run(undefined);
  const attributes = { 'trapline.execution.step': step, 'trapline.execution.attempt': attempt };
  return inSpan(tracing, `task ${task.kind}`, { parent: parent.context, attributes }, ({ context }) => run(context));
}
