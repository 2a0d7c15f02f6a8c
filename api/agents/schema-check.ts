import { createSchemas, SchemaBroken, type Schemas } from '#api/executions/json-schema/schemas.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { apiError } from '#api/http/api-error.ts';

export { SchemaBroken };

/** Schema checks of this process, with additions for configurations of agents. */
export interface SchemaCheck extends Schemas {
  /** Validates the schemas of a configuration before it is stored. Rejects with `ApiError`. `key`: the account. */
  checkConfig(config: Record<string, unknown>, key?: string): Promise<void>;
}

export function createSchemaCheck({ timeMs = 1_000 }: { readonly timeMs?: number } = {}): SchemaCheck {
  const schemas = createSchemas({ timeLimitMs: timeMs });
  return {
    ...schemas,
    async checkConfig(config, key) {
      for (const name of ['inputSchema', 'outputSchema'] as const) {
        const schema = config[name];
        if (schema === undefined) continue;
        await schemas.compile(schema as JsonValue, key).catch((error: unknown) => {
          if (!(error instanceof SchemaBroken)) throw error;
          throw apiError('invalid_value', `this JSON Schema cannot be used: ${error.message}`, `config.${name}`);
        });
      }
    },
  };
}
