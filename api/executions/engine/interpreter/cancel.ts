import { extensionPath } from './extension-path.ts';
import type { ListenBody, Run, TaskFrame } from './frames.ts';
import { segment } from './json.ts';
import { recordStep } from './record-step.ts';

export const startTimer = (run: Run, timer: string, at: string): number =>
  run.commands.push({ type: 'start-timer', timer, at });
export const cancelTimer = (run: Run, timer: string): number => run.commands.push({ type: 'cancel-timer', timer });

/**
 * Cancels all external work of a task and its descendants: calls, timers and waits. `whole` also records the task
 * itself as cancelled; with `inside` the caller records it.
 */
export function cancelFrame(run: Run, frame: TaskFrame, path: string, extent: 'whole' | 'inside'): void {
  for (const [child, place] of childrenOf(frame, path)) cancelFrame(run, child, place, 'whole');
  const { body, attempt } = frame;
  if (frame.timeout) cancelTimer(run, `${path}#timeout.${attempt}`);
  if (body?.is === 'external') run.commands.push({ type: 'cancel-task', step: path });
  else if (body?.is === 'wait') cancelTimer(run, `${path}#wait.${attempt}`);
  else if (body?.is === 'listen') stopListening(run, body, `${path}#listen.${attempt}`);
  else if (body?.is === 'try') {
    if (body.phase === 'delay') cancelTimer(run, `${path}#retry.${attempt}.${body.retries}`);
    if (body.limited) cancelTimer(run, `${path}#limit.${attempt}.${body.retries}`);
  }
  if (extent === 'whole') recordStep(run, frame, path, 'cancelled');
}

/** Stops listening. Idempotent. */
export function stopListening(run: Run, body: ListenBody, wait: string): void {
  if (body.closed) return;
  body.closed = true;
  run.commands.push({ type: 'stop-listening', wait });
}

/** Returns the open tasks directly below a task, with their paths. */
export function childrenOf({ body, extensions }: TaskFrame, path: string): (readonly [TaskFrame, string])[] {
  const inList = (list: { child: TaskFrame | null; index: number }, at: string): (readonly [TaskFrame, string])[] =>
    list.child === null ? [] : [[list.child, `${at}/${list.index}/${segment(list.child.name)}`]];
  if (extensions !== undefined && extensions.list !== null)
    return inList(extensions.list, extensionPath(path, extensions));
  switch (body?.is) {
    case 'list':
      return inList(body.list, `${path}/do`);
    case 'for':
      return inList(body.list, `${path}/for[${body.index}]/do`);
    case 'try':
      return inList(body.list, body.phase === 'catch' ? `${path}/catch/do` : `${path}/try`);
    case 'listen': {
      const { turns } = body;
      return turns === undefined || turns.list === null ? [] : inList(turns.list, `${path}/foreach[${turns.index}]/do`);
    }
    case 'messages': {
      const { index, list } = body.turns;
      return list === null ? [] : inList(list, `${path}/with/subscription/foreach[${index}]/do`);
    }
    case 'slot':
      return body.slot.child === null ? [] : [[body.slot.child, body.path]];
    case 'fork':
      return body.branches.flatMap((branch, index) => inList({ child: branch.child, index }, `${path}/fork/branches`));
    default:
      return [];
  }
}
