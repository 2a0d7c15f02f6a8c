import { modelPrices } from '../model-prices.ts';
import { byteSize, DAYS, portRange, secret, text, truth, url, volumes, wholeNumber } from '../values.ts';

/** Models, workflows and agents. */
export const executionsSettings = {
  TRAPLINE_MODEL_URL: url('http', 'https')
    .optional()
    .describe('OpenAI-compatible endpoint for agents that do not name an endpoint'),
  TRAPLINE_MODEL_NAME: text.optional().describe('model of TRAPLINE_MODEL_URL'),
  TRAPLINE_MODEL_API_KEY: secret().optional().describe('key for TRAPLINE_MODEL_URL'),
  TRAPLINE_MODEL_PRICES: modelPrices
    .optional()
    .describe(
      'credits for a million tokens of the models of TRAPLINE_MODEL_URL, as JSON by name: {"NAME":{"input":2.5,"cachedInput":0.25,"output":10}}; the cost of other models is unknown',
    ),
  TRAPLINE_RETENTION_DAYS_EXECUTIONS: wholeNumber(DAYS)
    .default(30)
    .describe('days for which ended executions are kept'),
  TRAPLINE_MAX_VALUE_BYTES: byteSize({ min: 2 ** 16, max: 2 ** 24 })
    .default(8 * 2 ** 20)
    .describe(
      'largest value (input, output, context, event) of a step of a workflow, as JSON; a larger one is an error',
    ),
  TRAPLINE_MAX_RUN_BYTES: byteSize({ min: 2 ** 20, max: 2 ** 36 })
    .default(256 * 2 ** 20)
    .describe(
      'total size of the recorded inputs and outputs of the steps of one execution, as JSON; above it, the execution fails',
    ),
  TRAPLINE_HELD_VALUE_BYTES: byteSize({ min: 2 ** 25, max: 2 ** 36 })
    .default(192 * 2 ** 20)
    .describe(
      'total size of the values of the executions in progress of one worker, as JSON; one account has at most half. Above it, executions wait for a moment, then fail',
    ),
  TRAPLINE_EXECUTION_MAX_CRASHES: wholeNumber({ min: 1, max: 100 })
    .default(3)
    .describe('how many times an execution may crash its worker process while it runs alone there; then it fails'),
  TRAPLINE_SHELL_TASKS: truth
    .default(false)
    .describe(
      'allow `run: shell`, scripts in Python and MCP servers as programs in workflows: they have the rights of the worker process',
    ),
  TRAPLINE_CONTAINER_ENGINE: text
    .optional()
    .describe(
      'socket of a container engine (Docker Engine API) for `run: container` in workflows, such as /var/run/docker.sock; not set: `run: container` is refused',
    ),
  TRAPLINE_CONTAINER_NETWORK: text
    .default('none')
    .describe('network of the engine that containers of workflows join; none: no network'),
  TRAPLINE_CONTAINER_VOLUMES: volumes
    .optional()
    .describe(
      'folders of the machine of the container engine (with those below them) and names of its volumes that containers of workflows may mount, joined by commas; not set: `volumes` is refused',
    ),
  TRAPLINE_CONTAINER_PORTS: portRange
    .optional()
    .describe(
      'ports of the machine of the container engine that containers of workflows may publish on 127.0.0.1, such as 20000-20099; not set: `ports` is refused',
    ),
  TRAPLINE_MIN_SCHEDULE_SECONDS: wholeNumber({ min: 1, max: 86_400 })
    .default(10)
    .describe('shortest interval of `schedule.every` and `schedule.after` in workflows of users; administrators: 1'),
};
