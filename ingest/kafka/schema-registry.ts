import { publishableSchemas } from '#schemas/events/publishable.ts';
import { createRegistryClient, type RegistryConnection } from './registry-client.ts';

export interface SchemaIdsConfig extends RegistryConnection {
  /** The topic of the events. Schemas are under `<topic>-value`, where the Confluent serialisers put and look for them. */
  readonly topic: string;
}

export type SchemaIdAnswer = 'ours' | 'foreign' | 'unknown' | 'unavailable';

/** What a schema id in a record's frame means to us. */
export interface SchemaIds {
  /** Whether the id is one of our event schemas, from what is known by now; `undefined` when not known. */
  isOurs(id: number): boolean | undefined;
  /**
   * Asks the registry. `unknown`: it does not have the id (now). `unavailable`: it does not answer, or not sensibly. Neither is
   * remembered; an id never changes its meaning, so `ours` and `foreign` are. Never rejects.
   */
  resolve(id: number): Promise<SchemaIdAnswer>;
  /** Registers our schemas and returns their ids by version. Repeating it changes nothing. Rejects with a `RegistryFailure`. */
  publish(): Promise<ReadonlyMap<string, number>>;
}

/**
 * Schema ids of the Confluent wire format (`00`, four bytes of id, payload). A schema is ours when it is a JSON schema that
 * either has the `$id` of one of our event schemas or is registered under our subject: who may register there says what goes into
 * the topic. It says only that the payload claims to be an event; the payload itself is decoded and checked by our own reader, because
 * the registry's client rounds 64-bit integers.
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

/** The `$id` of a JSON schema. */
function nameOf(text: string): string | undefined {
  try {
    const { $id } = JSON.parse(text) as { $id?: unknown };
    return typeof $id === 'string' ? $id : undefined;
  } catch {
    return undefined;
  }
}
