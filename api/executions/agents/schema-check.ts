import { Worker } from 'node:worker_threads';
import { threadEnvironment } from '../../thread-environment.ts';
import type { JsonValue } from '../json-value.ts';
import { limitThread } from '../limit-thread.ts';
import { AgentRefusal } from './agent-refusal.ts';
import type { SchemaAnswer, SchemaQuestion, SchemaVerdict } from './schema-worker.ts';

/**
 * Checks values against JSON Schemas of strangers, in a thread of its own that is ended when one takes too long: a few lines of schema can ask
 * for more steps than there are atoms.
 */
export interface SchemaCheck {
  /** Rejects with `SchemaBroken` when the schema is none, or takes too long. */
  check(schema: object, value: JsonValue): Promise<SchemaVerdict>;
  /** The schemas of a configuration, before they are stored. Rejects with `AgentRefusal`. */
  checkConfig(config: Record<string, unknown>): Promise<void>;
  close(): Promise<void>;
}

/** Nothing can be said by this schema. The message is for its author. */
export class SchemaBroken extends Error {
  override readonly name = 'SchemaBroken';
}

const MAX_SCHEMA_CHARACTERS = 200_000;
/** A thread of a busy machine takes a while to start. */
const START_MS = 20_000;

export function createSchemaCheck({ timeMs = 2_000 }: { readonly timeMs?: number } = {}): SchemaCheck {
  let thread: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other: a thread answers one question. */
  function ask(question: SchemaQuestion): Promise<SchemaVerdict> {
    if (JSON.stringify(question.schema).length > MAX_SCHEMA_CHARACTERS)
      return Promise.reject(new SchemaBroken(`a schema has at most ${MAX_SCHEMA_CHARACTERS} characters`));
    const turn = last.then(() => answered(question));
    last = turn.catch(() => {});
    return turn;
  }

  function answered(question: SchemaQuestion): Promise<SchemaVerdict> {
    const fresh = thread === undefined;
    thread ??= startThread();
    const here = thread;
    here.ref();
    return new Promise<SchemaVerdict>((resolve, reject) => {
      const give = (why: string) => {
        stopListening();
        thread = undefined;
        void here.terminate();
        reject(new SchemaBroken(why));
      };
      const onMessage = (answer: SchemaAnswer) => {
        stopListening();
        here.unref();
        if ('verdict' in answer) resolve(answer.verdict);
        else reject(new SchemaBroken(answer.broken));
      };
      const onError = () => give('it takes too much memory to check');
      const onExit = () => give('it can not be checked');
      const stopLimit = limitThread(here, timeMs + (fresh ? START_MS : 0), () => give('it takes too long to check'));
      const stopListening = () => {
        stopLimit();
        here.off('message', onMessage).off('exit', onExit);
      };
      here.once('message', onMessage).once('exit', onExit);
      here.removeAllListeners('error').on('error', onError);
      here.postMessage(question);
    });
  }

  return {
    check: (schema, value) => ask({ schema, value }),
    async checkConfig(config) {
      for (const name of ['inputSchema', 'outputSchema'] as const) {
        const schema = config[name];
        if (schema === undefined) continue;
        await ask({ schema: schema as object }).catch((error: unknown) => {
          if (!(error instanceof SchemaBroken)) throw error;
          throw new AgentRefusal('invalid_value', `this is no JSON Schema: ${error.message}`, `config.${name}`);
        });
      }
    },
    async close() {
      await thread?.terminate();
      thread = undefined;
    },
  };
}

function startThread(): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: 128, stackSizeMb: 4 };
  return new Worker(new URL('./schema-worker.ts', import.meta.url), {
    env: threadEnvironment(),
    argv: [],
    resourceLimits,
  });
}
