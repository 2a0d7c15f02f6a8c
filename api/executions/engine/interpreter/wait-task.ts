import { startTimer } from './cancel.ts';
import { later } from './durations.ts';
import { done, type Outcome, type Step, WAITING } from './frames.ts';
import { get } from './json.ts';
import { evaluateDuration } from './values.ts';

/** `wait`: goes on with its input when a timer fires. */
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
