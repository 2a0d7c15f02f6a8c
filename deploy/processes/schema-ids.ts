import type { SchemaIds } from '#ingest/pipeline/frame-gate.ts';
import type { Config } from '../config.ts';
import { topicNames } from './topic-names.ts';

/** Returns the schema registry if one is configured. Its client is loaded on demand to save memory. */
export async function loadSchemaIds(config: Pick<Config, 'registry' | 'topicPrefix'>): Promise<SchemaIds | undefined> {
  if (config.registry === undefined) return undefined;
  const { createSchemaIds } = await import('#ingest/kafka/schema-registry.ts');
  return createSchemaIds({ ...config.registry, topic: topicNames(config).events });
}
