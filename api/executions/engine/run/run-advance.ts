import type { JsonValue } from '../../json-value.ts';
import type { Advance, AdvanceLimits } from '../contract/port.ts';
import { openSteps } from '../interpreter/open-steps.ts';
import { lifecycleOf } from '../lifecycle.ts';
import { noteEffects, noteSignal, noteStep, noteTimerFired } from '../writes/change.ts';
import { applyCommand, type RunParts } from './run-commands.ts';
import { type Incoming, now } from './run-inbox.ts';
import type { RunDeps } from './run-port.ts';
import type { RunSignals } from './run-signals.ts';

/** Passes events to the interpreter and applies its commands. Calls must not overlap. */
export interface RunAdvance {
  /** Starts a new run, or continues a run that another worker has left. */
  start(limits?: AdvanceLimits): Promise<void>;
  /** Passes events of the inbox to the interpreter. */
  handle(incoming: readonly Incoming[], limits?: AdvanceLimits): Promise<void>;
}

type RunAdvanceDeps = Pick<RunDeps, 'lease' | 'interpreter' | 'definition' | 'context' | 'timers' | 'signals'>;

export function createRunAdvance(deps: RunAdvanceDeps, parts: RunParts, signals: RunSignals): RunAdvance {
  const { interpreter, definition, context } = deps;
  const { record, timers } = parts;
  const lifecycle = parts.dryRun === undefined ? lifecycleOf(definition, context) : undefined;

  function absorb(advance: Advance): void {
    record.note(advance);
    if (lifecycle !== undefined) record.change.events.push(...lifecycle.steps(advance.steps));
    for (const command of advance.commands) {
      applyCommand(command, parts);
      if (lifecycle === undefined) continue;
      if (command.type === 'complete') record.change.events.push(lifecycle.ended({ result: command.output }, now()));
      if (command.type === 'fail') record.change.events.push(lifecycle.ended({ error: command.error }, now()));
    }
  }

  /**
   * Records the open steps in the state. A worker that died may not have written their rows. Existing rows keep their
   * start times.
   */
  function noteOpenSteps(state: JsonValue): void {
    const { change } = record;
    for (const step of openSteps(state)) {
      noteStep(change, step);
      noteEffects(change, step);
    }
    // Their durations are unknown, because another worker began them.
    change.openSince.clear();
  }

  return {
    async start(limits) {
      const { state } = record;
      if (state !== undefined && deps.lease.row.losses > 0) noteOpenSteps(state);
      if (state !== undefined)
        for (const { timer, fireAt, due } of deps.timers) timers.arm(timer, fireAt.toISOString(), due);
      const advance =
        state === undefined
          ? await interpreter.start(definition, context, context.startedAt, limits)
          : await interpreter.advance(definition, context, state, { type: 'recover', at: now() }, limits);
      await record.hold(advance);
      if (state === undefined && lifecycle !== undefined) record.change.events.push(lifecycle.started());
      absorb(advance);
      if (state !== undefined) signals.deliver(deps.signals);
    },
    async handle(incoming, limits) {
      const [{ event, signal }] = incoming as readonly [Incoming, ...Incoming[]];
      // The timer was ended in the interim.
      if (event.type === 'timer-fired' && !timers.take(event.timer)) return;
      const before = record.state;
      const events = incoming.length === 1 ? event : incoming.map((each) => each.event);
      const advance = await interpreter.advance(definition, context, before ?? null, events, limits);
      await record.hold(advance);
      // No `await` from here on: a write between the advance and its event would store only one of them.
      absorb(advance);
      if (advance.left !== undefined) parts.inbox.putBack(advance.left.map((left) => ({ event: left })));
      if (event.type === 'timer-fired' && !timers.has(event.timer)) noteTimerFired(record.change, event.timer);
      if (signal !== undefined) noteSignal(record.change, signal, hasEffect(advance, before));
    },
  };
}

/** Returns true if an event changed something. Its signal then counts as consumed. */
export function hasEffect({ state, commands, steps }: Omit<Advance, 'idle'>, before: JsonValue | undefined): boolean {
  return commands.length + steps.length > 0 || JSON.stringify(state) !== JSON.stringify(before);
}
