import { createHash } from 'node:crypto';
import { eventKeyProblem } from '#schemas/api/event-key.ts';
import { type CloudEvent, OWN_TYPES } from '../contract/cloud-event.ts';
import { eventTypes } from '../interpreter/event-types.ts';
import { fault } from '../interpreter/faults.ts';
import { done, type Outcome, type Step } from '../interpreter/frames.ts';
import { get } from '../interpreter/json.ts';
import { evaluateObject } from '../interpreter/values.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: 'CloudEvents 1.0. The service sets `id` and `time` if the definition does not. The output is the event.',
  schema: 'emitTask',
  run: emitTask,
  detail: ({ emit }) => shortDetail(eventTypes(emit).join(', ')),
});

/**
 * Runs `emit`: publishes a CloudEvent. The event id stays the same when an attempt is repeated after a crash, so
 * receivers can deduplicate it.
 */
export async function emitTask(step: Step): Promise<Outcome> {
  const { run, frame, task, path } = step;
  const given = await evaluateObject(step, get(get(get(task, 'emit'), 'event'), 'with'), '`emit.event.with`');
  const { source, type } = given;
  if (typeof source !== 'string' || typeof type !== 'string' || source === '' || type === '')
    throw fault('configuration', 'an event needs a `source` and a `type`, both non-empty strings', path);
  if (type.toLowerCase().startsWith(OWN_TYPES))
    throw fault('configuration', `types that begin with ${OWN_TYPES} are reserved for the service`, path);
  const id = createHash('sha256').update(`${run.context.executionId}\n${path}\n${frame.attempt}`).digest('hex');
  const event: CloudEvent = { specversion: '1.0', id: id.slice(0, 32), time: run.at, ...given, source, type };
  const problem = eventKeyProblem({ source, type, id: String(event.id) });
  if (problem !== undefined) throw fault('configuration', problem.message, path);
  run.commands.push({ type: 'emit', event, step: path });
  return done({ ...given, specversion: '1.0', id: event.id, time: event.time ?? run.at });
}
