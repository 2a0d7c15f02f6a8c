import { z } from 'zod';
import { exceededQuota, quotaMessage } from '#api/accounts/tables/quotas.ts';
import { CAUSATION_HEADER } from '#api/executions/engine/causation.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { OutboundFailure, type OutboundFetch } from '#api/outbound/port.ts';
import type { TraceContext } from '#schemas/tracing/trace-context.ts';
import type { RunRights } from './rights.ts';
import { defineTool, type Tool, ToolFailure } from './tool.ts';

/**
 * Runs a workflow with the rights of the caller of an agent run, and waits up to a limit. Resolves to undefined if the
 * caller may not run the workflow.
 */
export type RunWorkflow = (
  call: {
    readonly workflow: string;
    readonly input: JsonValue;
    readonly rights: RunRights;
    /** The execution of the agent. */
    readonly parentId: string;
    /** Key of the call, the same in every attempt of the run, so a restart does not start a second execution. */
    readonly cause: string;
    readonly waitMs: number;
    /** Length of the causal chain behind the execution of the agent. */
    readonly causation: number;
    readonly trace?: TraceContext | undefined;
  },
  signal: AbortSignal,
) => Promise<{ readonly executionId: string; readonly status: string; readonly result?: JsonValue } | undefined>;

/** Cause of the calls of a run. */
export interface RunCause {
  /** Length of the causal chain behind the execution of the agent. */
  readonly causation: number;
  /** Span of the run in the distributed trace. */
  readonly span: TraceContext | undefined;
}

const MAX_RESPONSE_BYTES = 1024 * 1024;

/** Sends GET and similar requests to public addresses, through the outbound guard. */
export function fetchTool(fetch: OutboundFetch, { causation, span }: RunCause): Tool {
  return defineTool({
    name: 'http.fetch',
    description:
      'Sends an HTTP request to a public address: url, method, headers, body. The answer has status, headers, body.',
    arguments: z.strictObject({
      url: z.string().max(8192),
      method: z.enum(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
      headers: z.record(z.string(), z.string()).default({}),
      body: z.string().max(MAX_RESPONSE_BYTES).optional(),
      timeoutMs: z.int().min(1).max(60_000).default(10_000),
    }),
    async run({ url, method, headers: given, body, timeoutMs }, signal) {
      const others = Object.entries(given).filter(([name]) => name.toLowerCase() !== CAUSATION_HEADER);
      const headers = { ...Object.fromEntries(others), [CAUSATION_HEADER]: String(causation) };
      try {
        const limits = { timeoutMs, maxBytes: MAX_RESPONSE_BYTES, signal, trace: span };
        const answer = await fetch({ url, method, headers, ...(body === undefined ? {} : { body }), ...limits });
        return { status: answer.status, headers: { ...answer.headers }, body: answer.body.toString() };
      } catch (error) {
        if (error instanceof OutboundFailure) throw new ToolFailure(`${error.reason}: ${error.message}`);
        throw error;
      }
    },
  });
}

/** Runs a workflow. The n-th call of a run has the same cause in every attempt, so it starts only one execution. */
export function workflowTool(
  runWorkflow: RunWorkflow,
  run: { readonly rights: RunRights; readonly executionId: string } & RunCause,
): Tool {
  return defineTool({
    name: 'workflows.run',
    description:
      'Runs a workflow by id or slug with an input, and waits for its result up to waitSeconds (60 at most).',
    arguments: z.strictObject({
      workflow: z.string().min(1).max(100),
      input: z.json().default({}),
      waitSeconds: z.int().min(0).max(60).default(30),
    }),
    async run({ workflow, input, waitSeconds }, signal, position) {
      const { executionId: parentId, rights, causation, span } = run;
      const cause = `agent:${parentId}:${position}`;
      const call = {
        workflow,
        input: input as JsonValue,
        rights,
        parentId,
        cause,
        causation,
        trace: span,
        waitMs: waitSeconds * 1000,
      };
      const answer = await runWorkflow(call, signal).catch(toToolFailure);
      if (answer === undefined) throw new ToolFailure('there is no such workflow');
      return { ...answer };
    },
  });
}

/** Converts an exhausted quota to an error that the agent receives. */
function toToolFailure(error: unknown): never {
  const exceeded = exceededQuota(error);
  throw exceeded === undefined ? error : new ToolFailure(quotaMessage(exceeded));
}
