import type { Command, EngineEvent } from '../contract/port.ts';

/**
 * Removes commands that cancel each other within one advance: work that it both began and ended, and the end of a timer
 * that has just fired. Keeps the order of the others.
 */
export function netCommands(all: readonly Command[], event: EngineEvent | undefined): readonly Command[] {
  const fired = event?.type === 'timer-fired' ? event.timer : undefined;
  const commands =
    fired === undefined ? all : all.filter((command) => command.type !== 'cancel-timer' || command.timer !== fired);
  if (!commands.some(({ type }) => type === 'cancel-task' || type === 'cancel-timer' || type === 'stop-listening'))
    return commands;
  const kept: (Command | undefined)[] = [];
  const begun = new Map<string, number>();
  for (const command of commands) {
    const ended = endOf(command);
    const at = ended === undefined ? undefined : begun.get(ended);
    if (ended !== undefined && at !== undefined) {
      kept[at] = undefined;
      begun.delete(ended);
      continue;
    }
    const started = startOf(command);
    if (started !== undefined) begun.set(started, kept.length);
    kept.push(command);
  }
  return kept.filter((command) => command !== undefined);
}

function startOf(command: Command): string | undefined {
  if (command.type === 'run-task') return `task ${command.step}`;
  if (command.type === 'start-timer') return `timer ${command.timer}`;
  return command.type === 'listen' ? `wait ${command.wait}` : undefined;
}

function endOf(command: Command): string | undefined {
  if (command.type === 'cancel-task') return `task ${command.step}`;
  if (command.type === 'cancel-timer') return `timer ${command.timer}`;
  return command.type === 'stop-listening' ? `wait ${command.wait}` : undefined;
}
