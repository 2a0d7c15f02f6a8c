import { publishableSchemas } from '#schemas/events/publishable.ts';
import { createRegistryClient, type RegistryConnection } from './registry-client.ts';

export interface SchemaIdsConfig extends RegistryConnection {
  /** The topic of events. Schemas are registered under `<topic>-value`, the subject that Confluent serialisers use. */
  readonly topic: string;
}

export type SchemaIdAnswer = 'ours' | 'foreign' | 'unknown' | 'unavailable';

/** Classifies the schema id in the frame of a record. */
export interface SchemaIds {
  /** Returns from the cache whether the id is one of our event schemas; undefined if not known yet. */
  isOurs(id: number): boolean | undefined;
  /**
   * Queries the registry. `unknown`: the registry does not have the id now. `unavailable`: it does not respond, or its
   * response is invalid. Only `ours` and `foreign` are cached, because the meaning of an id never changes. Never
   * rejects.
   */
  resolve(id: number): Promise<SchemaIdAnswer>;
  /** Registers our schemas and returns their ids by version. Idempotent. Rejects with a `RegistryFailure`. */
  publish(): Promise<ReadonlyMap<string, number>>;
}

/**
 * Schema ids of the Confluent wire format (`00`, four bytes of id, payload). A schema is ours if it is a JSON schema
 * that has the `$id` of one of our event schemas, or is registered under our subject. Users who may register there
 * decide what the topic contains. A known id only means that the payload claims to be an event. Our own reader decodes
 * and validates the payload, because the registry's client rounds 64-bit integers.
 */
export function createSchemaIds(config: SchemaIdsConfig): SchemaIds {
  const registry = createRegistryClient(config);
  const subject = `${config.topic}-value`;
  const schemas = publishableSchemas();
  const names = new Set(schemas.map(({ text }) => nameOf(text)).filter((name) => name !== undefined));
  const known = new Map<number, boolean>();
  const asking = new Map<number, Promise<SchemaIdAnswer>>();

  async function ask(id: number): Promise<SchemaIdAnswer> {
    try {
      const found = await registry.find(id);
      if (found === undefined) return 'unknown';
      const ours = found.type === 'JSON' && (await isEventSchema(found.text));
      known.set(id, ours);
      return ours ? 'ours' : 'foreign';
    } catch {
      return 'unavailable';
    }
  }

  async function isEventSchema(text: string): Promise<boolean> {
    const name = nameOf(text);
    return (name !== undefined && names.has(name)) || (await registry.idOf(subject, text)) !== undefined;
  }

  return {
    isOurs: (id) => known.get(id),
    resolve(id) {
      const answer = known.get(id);
      if (answer !== undefined) return Promise.resolve(answer ? 'ours' : 'foreign');
      const running = asking.get(id) ?? ask(id).finally(() => asking.delete(id));
      asking.set(id, running);
      return running;
    },
    async publish() {
      const ids = new Map<string, number>();
      for (const { version, text } of schemas) {
        const id = (await registry.idOf(subject, text)) ?? (await registry.register(subject, text));
        known.set(id, true);
        ids.set(version, id);
      }
      return ids;
    },
  };
}

/** Returns the `$id` of a JSON schema. */
function nameOf(text: string): string | undefined {
  try {
    const { $id } = JSON.parse(text) as { $id?: unknown };
    return typeof $id === 'string' ? $id : undefined;
  } catch {
    return undefined;
  }
}
