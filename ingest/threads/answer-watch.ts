export interface AnswerWatchOptions {
  readonly everyMs?: number;
  /**
   * Number of rounds without a response until it is reported. Rounds and not time, because a process that was suspended
   * has missed none.
   */
  readonly rounds?: number;
}

/**
 * Calls `ask` at an interval and `onSilence` once if it no longer responds. A thread that hangs does not end, and the
 * thread with the consumer would continue to send heartbeats. Returns a function that stops the watch.
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
      // A rejection is a response, too. The end of the thread is reported elsewhere.
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
