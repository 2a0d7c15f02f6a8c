import { parentPort, workerData } from 'node:worker_threads';
import { createJqInstance, JqFailure } from './jq-instance.ts';

/** The thread of a pool: evaluates one program after another. Says `ready` once, then answers every request in order. */
export interface JqRequest {
  readonly program: string;
  readonly document: string;
}
export type JqReply =
  | { readonly ready: true }
  | { readonly value: string }
  /** `dead`: the thread is of no further use. */
  | { readonly error: string; readonly dead: boolean };

export interface JqWorkerData {
  readonly memoryBytes: number;
  readonly maxOutputChars: number;
}

const port = parentPort;
if (port !== null) {
  const { memoryBytes, maxOutputChars } = workerData as JqWorkerData;
  const jq = await createJqInstance(memoryBytes);
  const answer = (reply: JqReply): void => port.postMessage(reply);
  port.on('message', ({ program, document }: JqRequest) => {
    try {
      const value = jq.run(program, document);
      answer(
        value.length > maxOutputChars
          ? { error: `the value is larger than ${maxOutputChars} characters`, dead: false }
          : { value },
      );
    } catch (error) {
      const dead = !(error instanceof JqFailure) || error.dead;
      answer({
        error: dead ? 'it needs too much memory' : error instanceof Error ? error.message : String(error),
        dead,
      });
    }
  });
  answer({ ready: true });
}
