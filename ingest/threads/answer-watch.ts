export interface AnswerWatchOptions {
  readonly everyMs?: number;
  /** As many rounds without an answer, and it is told. Rounds and not time: a process that was stopped for a while has lost none. */
  readonly rounds?: number;
}

/**
 * Asks something every so often and calls `onSilence`, once, when it is not answered any more. A thread that hangs does not end, and the one
 * that keeps the consumer goes on telling the group that all is well. Returns what ends the watch.
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
      // One that is refused is one that is answered; of an end others tell.
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
