import { createSchemas, SchemaBroken, type Schemas } from '#api/executions/json-schema/schemas.ts';
import type { JsonValue } from '#api/executions/json-value.ts';
import { AgentRefusal } from './agent-refusal.ts';

export { SchemaBroken };

/** The schema checks of this process, with what configurations of agents need. */
export interface SchemaCheck extends Schemas {
  /** The schemas of a configuration, before they are stored. Rejects with `AgentRefusal`. `key`: the account. */
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
          throw new AgentRefusal(
            'invalid_value',
            `this JSON Schema cannot be used: ${error.message}`,
            `config.${name}`,
          );
        });
      }
    },
  };
}
