import { Worker } from 'node:worker_threads';
import { PAGE_POOL_HEADROOM_MIB } from '#api/threads/page-pool-headroom.ts';
import { threadEnvironment } from '#api/threads/thread-environment.ts';
import { type ActiveRun, startActiveRun } from './active-run.ts';
import { compileInterpreter } from './compile-interpreter.ts';
import type { FromThread, ScriptStart, ToThread } from './messages.ts';
import type { SandboxResult, SandboxScript } from './port.ts';

/** A thread that runs the scripts of one account, one at a time. */
export interface SandboxThread {
  /** If undefined, it runs one script and is then terminated. */
  readonly account: string | undefined;
  /** Runs a script. Settles when none of its host calls is in flight, so the effects of the script are known. */
  run(start: ScriptStart, script: SandboxScript, signal: AbortSignal | undefined): Promise<SandboxResult>;
  /** False if it has ended, or its last script left something behind. */
  reusable(): boolean;
  /** Terminates the thread. A running script is rejected with `aborted`. */
  end(): Promise<void>;
}

/**
 * The stack of the interpreter is on the stack of the thread. With this margin, the limit of the interpreter applies
 * first.
 */
const RESOURCES = { maxOldGenerationSizeMb: 64 + PAGE_POOL_HEADROOM_MIB, maxYoungGenerationSizeMb: 8, stackSizeMb: 16 };

export function startThread(account: string | undefined): SandboxThread {
  const worker = new Worker(new URL('./sandbox-worker.ts', import.meta.url), {
    name: 'sandbox',
    env: threadEnvironment(),
    execArgv: [],
    resourceLimits: RESOURCES,
  });
  worker.unref();
  let alive = true;
  const ready = Promise.withResolvers<void>();
  let clean = true;
  let current: ActiveRun | undefined;

  function send(message: ToThread): void {
    if (alive) worker.postMessage(message);
  }

  function lose(cause?: unknown): void {
    alive = false;
    current?.lose(cause);
  }

  async function terminate(): Promise<void> {
    alive = false;
    await worker.terminate();
  }

  worker.on('message', (message: FromThread | { type: 'ready' }) => {
    if (message.type === 'ready') ready.resolve();
    else if (alive && (message.run !== current?.id || !current.receive(message))) {
      lose(new Error('the thread of a script sent a message that belongs to no run'));
      void terminate();
    }
  });
  worker.on('error', lose);
  worker.on('exit', () => lose());
  compileInterpreter().then((module) => send({ type: 'module', module }), lose);

  return {
    account,
    async run(start, script, signal) {
      worker.ref(); // an awaited script keeps the process alive, an idle thread does not
      const stop = () => void terminate();
      const active = startActiveRun({ start, script, signal, send, stop, worker, ready: ready.promise });
      current = active;
      if (!alive) lose();
      try {
        return await active.result;
      } finally {
        current = undefined;
        clean &&= active.clean();
        worker.unref();
      }
    },
    reusable: () => alive && clean && account !== undefined,
    async end() {
      current?.abandon('aborted', 'the sandbox was closed');
      await terminate();
    },
  };
}
