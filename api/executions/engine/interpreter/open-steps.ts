import type { InterpreterState, StepRecord } from '../contract/port.ts';
import type { StepPath } from '../contract/workflow-error.ts';
import { taskKind } from '../kind-registry.ts';
import { childrenOf } from './cancel.ts';
import type { ListFrame, TaskFrame } from './frames.ts';
import { segment } from './json.ts';
import { unpackState } from './pack-state.ts';

/** Returns the open steps in the state of a run, outer steps before inner ones. */
export function openSteps(state: InterpreterState): StepRecord[] {
  const { list } = unpackState(state) as unknown as { readonly list: ListFrame };
  const { child, index } = list;
  return child === null ? [] : stepsOf(child, `/do/${index}/${segment(child.name)}`);
}

function stepsOf(frame: TaskFrame, step: StepPath): StepRecord[] {
  const { name, kind, attempt, startedAt, input } = frame;
  const status = taskKind(kind).work === 'waits' ? 'waiting' : 'running';
  const inside = childrenOf(frame, step).flatMap(([child, path]) => stepsOf(child, path));
  return [{ step, name, kind, status, attempt, at: startedAt, input }, ...inside];
}
