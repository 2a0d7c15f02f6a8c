import { fault } from '../interpreter/faults.ts';
import { done, type Outcome, type Step } from '../interpreter/frames.ts';
import { getText } from '../interpreter/json.ts';
import { holds } from '../interpreter/values.ts';
import { defineTaskKind, shortDetail } from '../task-kind.ts';

export const kind = defineTaskKind({
  note: 'Fails with `message` unless the expression `that` is true; the output is the input.',
  schema: {
    type: 'object',
    required: ['assert'],
    properties: {
      assert: {
        type: 'object',
        required: ['that'],
        additionalProperties: false,
        properties: { that: { type: 'string' }, message: { type: 'string' } },
      },
    },
  },
  run: assertTask,
  detail: ({ assert }) => shortDetail(getText(assert, 'that')),
});

/** `assert`: continues with its input when the condition is true, and fails otherwise. */
async function assertTask(step: Step): Promise<Outcome> {
  const { frame, path, task } = step;
  if (await holds(step, getText(task.assert, 'that') ?? '', frame.input)) return done(frame.input);
  throw fault('validation', getText(task.assert, 'message') ?? 'the assertion is false', path);
}
