export interface AnswerWatchOptions {
  readonly everyMs?: number;
  /** Rounds without a response until it is reported. Rounds and not time: a process that was stopped for a while has missed none. */
  readonly rounds?: number;
}

/**
 * Asks something every so often and calls `onSilence`, once, when it is not answered any more. A thread that hangs does not end, and the one
 * that keeps the consumer sending heartbeats as if all was well. Returns a function that ends the watch.
 */
export function watchAnswers(
  ask: () => Promise<unknown>,
  onSilence: () => void,
  { everyMs = 10_000, rounds = 6 }: AnswerWatchOptions = {},
): () => void {
  let waiting = false;
  let silent = 0;
  const answered = () => {
    waiting = false;
    silent = 0;
  };
  const timer = setInterval(() => {
    if (!waiting) {
      waiting = true;
      // A refusal is a response; the end of the thread is reported elsewhere.
      ask().then(answered, answered);
      return;
    }
    silent += 1;
    if (silent < rounds) return;
    clearInterval(timer);
    onSilence();
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
