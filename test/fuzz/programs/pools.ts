import { createSchemaCheck, SchemaBroken } from '#api/agents/schema-check.ts';
import { ExpressionError } from '#api/executions/expressions/expression-error.ts';
import { createExpressions } from '#api/executions/expressions/expressions.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { SandboxFailure } from '#api/executions/sandbox/port.ts';
import { createSandbox } from '#api/executions/sandbox/sandbox.ts';
import { createChecker } from '#api/workflows/definitions/checker.ts';
import type { Case } from './cases/case.ts';
import { failureName, type OutcomeName } from './outcomes.ts';

/**
 * The threads in which the service checks definitions and schemas and runs expressions and scripts, in this process and
 * without stores.
 */
export interface Pools {
  /** Rejects with an error that is not documented for the pools. */
  run(one: Case): Promise<OutcomeName>;
  close(): Promise<void>;
}

const HOST_CALLS = { 'files.list': async () => [], 'files.read': async () => null };

export function createPools(): Pools {
  const checker = createChecker();
  const schemas = createSchemaCheck();
  const expressions = createExpressions();
  const sandbox = createSandbox();

  async function run({ kind, text, input }: Case): Promise<OutcomeName> {
    switch (kind) {
      case 'definition':
        return (await checker.check(text)).ok ? 'completed' : 'refused';
      case 'schema':
        return (await schemas.check(JSON.parse(text) as JsonValue, input)).valid ? 'completed' : 'failed';
      case 'expression':
        await expressions.evaluate(text, input, {});
        return 'completed';
      case 'script':
        await sandbox.run({ code: text, arguments: { marker: 'marker', input }, hostCalls: HOST_CALLS });
        return 'completed';
    }
  }

  return {
    run: (one) =>
      run(one).catch((error: unknown) => {
        if (error instanceof SchemaBroken) return 'refused';
        if (error instanceof ExpressionError || error instanceof SandboxFailure) return failureName(error.message);
        throw error;
      }),
    async close() {
      await Promise.all([checker.close(), schemas.close(), expressions.close(), sandbox.close()]);
    },
  };
}
