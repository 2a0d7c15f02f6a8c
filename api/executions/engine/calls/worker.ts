import { getText } from '../interpreter/json.ts';
import { WORKER_CALL, workerCallProblem, workerTask } from '../interpreter/worker-task.ts';
import type { CallProtocol } from './call-protocol.ts';

export const worker: CallProtocol = {
  note: `\`${WORKER_CALL}\`: a task for an external worker; \`with\` has \`queue\`, \`type\` and \`input\`.`,
  prepare: workerTask,
  refusals: {
    worker: `\`call: ${WORKER_CALL}\` needs \`queue\` and \`type\`, names of at most 63 letters, digits, ".", "_" and "-", and may have \`input\`.`,
  },
  check: (given, checker) => {
    const problem = workerCallProblem(given);
    if (problem !== undefined) checker.refuse('worker', [], problem);
  },
  detail: (given) => `${getText(given, 'queue') ?? ''} ${getText(given, 'type') ?? ''}`,
};
