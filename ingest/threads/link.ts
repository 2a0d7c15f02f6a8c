import type { MessagePort, Transferable, Worker } from 'node:worker_threads';

/** The calls that one side provides, by name. */
export type Calls = Readonly<Record<string, (argument: never) => unknown>>;
type ArgumentOf<Call> = Call extends (argument: infer Argument) => unknown ? Argument : never;
type AnswerOf<Call> = Call extends (argument: never) => infer Answer ? Awaited<Answer> : never;

/**
 * Remote procedure calls between two threads. Messages of one side, including responses, arrive in the order of
 * sending. When a response has arrived, all earlier messages of the other side have been processed.
 */
export interface Link<Theirs extends Calls> {
  /**
   * Rejects with the error of the other side (without its class and without fields other than message and stack), or if
   * the link is cut.
   */
  ask<Name extends keyof Theirs & string>(
    name: Name,
    argument: ArgumentOf<Theirs[Name]>,
    moved?: readonly Transferable[],
  ): Promise<AnswerOf<Theirs[Name]>>;
  /** Sends a call without a response. */
  notify<Name extends keyof Theirs & string>(
    name: Name,
    argument: ArgumentOf<Theirs[Name]>,
    moved?: readonly Transferable[],
  ): void;
  /** Notes that the other side is gone: all pending calls reject with this reason. */
  cut(reason: unknown): void;
}

type Message =
  | { readonly kind: 'ask'; readonly id: number; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'notify'; readonly name: string; readonly argument: unknown }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly error: unknown };

/** `failed` is called if a notification, which has no response, fails. */
export function createLink<Theirs extends Calls, Ours extends Calls>(
  port: MessagePort | Worker,
  ours: Ours,
  failed: (error: unknown) => void,
): Link<Theirs> {
  const asked = new Map<number, PromiseWithResolvers<unknown>>();
  let lastId = 0;
  let cutBy: { readonly reason: unknown } | undefined;

  port.on('message', (message: Message) => {
    if (message.kind === 'notify') void run(message).catch(failed);
    else if (message.kind === 'ask') void answer(message);
    else settle(message);
  });

  async function run({ name, argument }: { readonly name: string; readonly argument: unknown }): Promise<unknown> {
    const call = ours[name];
    if (call === undefined) throw new TypeError(`${name} is not known to this thread`);
    return call(argument as never);
  }

  async function answer(message: Message & { kind: 'ask' }): Promise<void> {
    const { id } = message;
    try {
      post({ kind: 'answer', id, answer: await run(message) });
    } catch (error) {
      post({ kind: 'refusal', id, error: portableError(error) });
    }
  }

  function settle(message: Message & { kind: 'answer' | 'refusal' }): void {
    const waiting = asked.get(message.id);
    asked.delete(message.id);
    if (message.kind === 'answer') waiting?.resolve(message.answer);
    else waiting?.reject(message.error);
  }

  function post(message: Message, moved: readonly Transferable[] = []): void {
    if (cutBy === undefined) port.postMessage(message, [...moved]);
  }

  return {
    ask(name, argument, moved) {
      if (cutBy !== undefined) return Promise.reject(cutBy.reason);
      const id = ++lastId;
      const waiting = Promise.withResolvers<unknown>();
      asked.set(id, waiting);
      post({ kind: 'ask', id, name, argument }, moved);
      return waiting.promise as Promise<never>;
    },
    notify: (name, argument, moved) => post({ kind: 'notify', name, argument }, moved),
    cut(reason) {
      if (cutBy !== undefined) return;
      cutBy = { reason };
      for (const waiting of asked.values()) waiting.reject(reason);
      asked.clear();
    },
  };
}

/** Reduces an error to what can be sent to another thread. Other properties may not be cloneable. */
export function portableError(error: unknown): Error {
  if (!(error instanceof Error)) return new Error(String(error));
  const portable = new Error(error.name === 'Error' ? error.message : `${error.name}: ${error.message}`);
  if (error.stack !== undefined) portable.stack = error.stack;
  return portable;
}
