import type { JsonValue } from '#api/executions/json-value.ts';
import { RuntimeFailure } from './runtime.ts';
import { type Tool, ToolFailure } from './tool.ts';
import type { Trace } from './trace.ts';

/** Wraps tools to count and trace every call. A call above the limit ends the run. */
export function watchTools(
  tools: readonly Tool[],
  { trace, maxCalls }: { readonly trace: Trace; readonly maxCalls: number },
): { readonly tools: readonly Tool[]; readonly calls: () => number; readonly answered: () => readonly string[] } {
  let calls = 0;
  const answered: string[] = [];
  const watched = tools.map(
    (tool): Tool => ({
      ...tool,
      async call(given, signal) {
        if (++calls > maxCalls) throw new RuntimeFailure('limit', `the run makes more than ${maxCalls} tool calls`);
        const began = performance.now();
        const done = (fields: Record<string, JsonValue>) =>
          trace.add('tool', { tool: tool.name, given, ms: Math.round(performance.now() - began), ...fields });
        try {
          const answer = await tool.call(given, signal);
          answered.push(tool.name);
          done({ answer });
          return answer;
        } catch (error) {
          done({ error: error instanceof ToolFailure ? error.message : 'failed' });
          throw error;
        }
      },
    }),
  );
  return { tools: watched, calls: () => calls, answered: () => answered };
}
