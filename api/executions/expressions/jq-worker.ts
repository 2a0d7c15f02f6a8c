import { parentPort, workerData } from 'node:worker_threads';
import { createJqInstance, JqFailure, type JqInstance } from './jq-instance.ts';

/**
 * Protocol of a thread of the pool: it posts `ready` once, then evaluates one program at a time and posts one reply per
 * request id.
 */
export interface JqRequest {
  /** Unique in this process. */
  readonly id: number;
  /**
   * Consecutive programs of one account share an instance of jq. If undefined, the program has an instance of its own.
   */
  readonly account: string | undefined;
  readonly program: string;
  readonly document: string;
}
export type JqReply =
  | { readonly ready: true }
  | { readonly id: number; readonly value: string }
  /** If true, the thread must be terminated. */
  | { readonly id: number; readonly error: string; readonly dead: boolean };

export interface JqWorkerData {
  readonly memoryBytes: number;
  readonly maxOutputChars: number;
}

const MAX_BYTES_OF_A_CHARACTER = 3;

const port = parentPort;
if (port !== null) {
  const { memoryBytes, maxOutputChars } = workerData as JqWorkerData;
  const limits = { memoryBytes, outputBytes: maxOutputChars * MAX_BYTES_OF_A_CHARACTER + 1 };
  const tooLarge = `the value is larger than ${maxOutputChars} characters`;
  /** Instance for the next program. `account` is undefined until a program has run in it. */
  let current: { readonly jq: Promise<JqInstance>; account?: string | undefined } = { jq: createJqInstance(limits) };
  const answer = (reply: JqReply): void => port.postMessage(reply);
  port.on('message', async ({ id, account, program, document }: JqRequest) => {
    if (current.account !== undefined && current.account !== account) current = { jq: createJqInstance(limits) };
    current.account = account ?? '';
    try {
      const value = (await current.jq).run(program, document);
      if (value.length > maxOutputChars) answer({ id, error: tooLarge, dead: false });
      else answer({ id, value });
    } catch (error) {
      const reason = error instanceof JqFailure ? error.reason : 'memory';
      const message = error instanceof Error ? error.message : String(error);
      answer({
        id,
        error: reason === 'output' ? tooLarge : message,
        dead: reason === 'memory' || reason === 'depth',
      });
      if (reason !== 'error') current = { jq: createJqInstance(limits) };
    }
    if (account === undefined) current = { jq: createJqInstance(limits) };
  });
  await current.jq;
  answer({ ready: true });
}
