import { startTimer } from '../interpreter/cancel.ts';
import { durationMs, later } from '../interpreter/durations.ts';
import { done, type Outcome, type Step, WAITING } from '../interpreter/frames.ts';
import { get } from '../interpreter/json.ts';
import { evaluateDuration } from '../interpreter/values.ts';
import { defineTaskKind } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: 'Inline durations and ISO 8601 durations, without years and months, because their length depends on the date.',
  schema: 'waitTask',
  run: waitTask,
  work: 'waits',
  refusals: {
    duration: 'Invalid duration. Use inline units, or ISO 8601 with weeks, days, hours, minutes and seconds.',
  },
  check: ({ wait }, checker) => {
    if (typeof wait === 'string' && !wait.includes('${') && durationMs(wait) === undefined)
      checker.refuse('duration', ['wait']);
  },
});

/** Runs `wait`: continues with its input when a timer fires. */
export async function waitTask(step: Step): Promise<Outcome> {
  const { run, frame, task, path } = step;
  const timer = `${path}#wait.${frame.attempt}`;
  if (frame.body?.is === 'wait')
    return run.event?.type === 'timer-fired' && run.event.timer === timer ? done(frame.input) : WAITING;
  const until = later(run.at, await evaluateDuration(step, get(task, 'wait') ?? null, '`wait`'));
  frame.body = { is: 'wait', until };
  startTimer(run, timer, until);
  return WAITING;
}
