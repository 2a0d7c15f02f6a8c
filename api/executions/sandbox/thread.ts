import { Worker } from 'node:worker_threads';
import { MIB_OF_LENT_PAGES } from '../../lent-pages.ts';
import { threadEnvironment } from '../../thread-environment.ts';
import type { JsonValue } from '../json-value.ts';
import type { FromThread, ToThread } from './messages.ts';
import {
  type LogLine,
  SandboxFailure,
  type SandboxFailureReason,
  type SandboxResult,
  type SandboxScript,
} from './port.ts';

/** One thread, with one script at a time. */
export interface SandboxThread {
  run(
    message: Extract<ToThread, { type: 'run' }>,
    script: SandboxScript,
    signal: AbortSignal | undefined,
  ): Promise<SandboxResult>;
  /** Whether it can take another script. */
  alive(): boolean;
  end(): Promise<void>;
}

/** The interpreter looks itself at what it computed; who has not heard of its end by then, on a machine that gave it a quarter of a processor, ends the thread. */
const LEAST_SHARE = 1 / 4;
const GRACE_MS = 1_000;
/** A thread of a busy machine that starts takes so long at most. */
const START_MS = 20_000;
/** The interpreter's stack lies on the thread's: with room to spare its own limit comes first. */
const RESOURCES = { maxOldGenerationSizeMb: 64 + MIB_OF_LENT_PAGES, maxYoungGenerationSizeMb: 8, stackSizeMb: 16 };

export function startThread(): SandboxThread {
  const worker = new Worker(new URL('./sandbox-worker.ts', import.meta.url), {
    name: 'sandbox',
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: RESOURCES,
  });
  worker.unref();
  let alive = true;
  let ready = false;
  let onMessage: (message: FromThread) => void = () => {};
  let onLoss: (error: SandboxFailure) => void = () => {};
  worker.on('message', (message: FromThread | { type: 'ready' }) => {
    if (message.type === 'ready') ready = true;
    else onMessage(message);
  });
  const lose = (cause?: unknown) => {
    alive = false;
    onLoss(new SandboxFailure('crashed', 'the thread of the script ended', [], { cause }));
  };
  worker.on('error', lose);
  worker.on('exit', () => lose());

  async function end(): Promise<void> {
    alive = false;
    await worker.terminate();
  }

  function run(
    message: Extract<ToThread, { type: 'run' }>,
    { hostCalls = {}, onLog }: SandboxScript,
    signal: AbortSignal | undefined,
  ): Promise<SandboxResult> {
    const { limits } = message;
    const logs: LogLine[] = [];
    const calling = new AbortController();
    let watch: NodeJS.Timeout | undefined;
    let computed = false;

    return new Promise<SandboxResult>((resolve, reject) => {
      const fail = (reason: SandboxFailureReason, text: string, cause?: unknown) =>
        reject(new SandboxFailure(reason, text, logs, { cause }));
      const abandon = (reason: SandboxFailureReason, text: string) => {
        fail(reason, text);
        void end();
      };
      const aborted = () => abandon('aborted', 'the script was ended');
      /** Ends the thread unless it is heard of before. */
      const expect = () => {
        clearTimeout(watch);
        const slow = ready || computed ? 0 : START_MS;
        watch = setTimeout(
          () => abandon('time', `the script computes for longer than ${limits.timeMs} ms`),
          limits.timeMs / LEAST_SHARE + GRACE_MS + slow,
        );
      };
      const send = (text: ToThread) => {
        if (!alive) return;
        expect();
        worker.postMessage(text);
      };
      const wall = setTimeout(() => abandon('time', `the script takes longer than ${limits.wallMs} ms`), limits.wallMs);
      cleanUp = () => {
        clearTimeout(watch);
        clearTimeout(wall);
        signal?.removeEventListener('abort', aborted);
      };

      onLoss = ({ reason, message: text, cause }) => fail(reason, text, cause);
      onMessage = (told) => {
        computed = true;
        switch (told.type) {
          case 'log':
            logs.push(told.line);
            return onLog?.(told.line);
          case 'waiting':
            return clearTimeout(watch);
          case 'done':
            return resolve({ output: told.json === undefined ? undefined : parse(told.json), logs });
          case 'failed':
            return fail(told.reason, told.message);
          case 'call':
            void answer(told, hostCalls, calling.signal).then(send);
        }
      };
      signal?.addEventListener('abort', aborted, { once: true });
      worker.ref(); // a process does not end while a script is awaited, and is not kept by idle threads
      if (!alive) return fail('crashed', 'the thread of the script ended');
      send(message);
    }).finally(() => {
      cleanUp();
      onMessage = () => {};
      onLoss = () => {};
      calling.abort();
      worker.unref();
    });
  }

  let cleanUp = () => {};
  return { run, end, alive: () => alive };
}

async function answer(
  { call, name, json }: Extract<FromThread, { type: 'call' }>,
  hostCalls: NonNullable<SandboxScript['hostCalls']>,
  signal: AbortSignal,
): Promise<ToThread> {
  try {
    const hostCall = Object.hasOwn(hostCalls, name) ? hostCalls[name] : undefined;
    if (hostCall === undefined) throw new Error(`there is no tool ${name}`);
    const value = await hostCall(JSON.parse(json) as JsonValue[], signal);
    return { type: 'answer', call, json: value === undefined ? undefined : JSON.stringify(value) };
  } catch (error) {
    return { type: 'refusal', call, message: error instanceof Error ? error.message : String(error) };
  }
}

function parse(json: string): JsonValue {
  return JSON.parse(json) as JsonValue;
}
