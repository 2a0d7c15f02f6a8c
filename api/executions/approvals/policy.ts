import { ROLES, type Role } from '#schemas/api/roles.ts';
import { get, isList, isObject, type JsonObject } from '../engine/interpreter/json.ts';
import type { JsonValue } from '../json-value.ts';

/** An approver in a policy: a user by username, a team by name, or all users with at least this role. */
export type Approver = { readonly user: string } | { readonly team: string } | { readonly role: Role };

/**
 * Users who cannot approve although they are named: the user who started the execution, and the author of the running
 * version.
 */
export const EXCEPTIONS = ['starter', 'lastEditor'] as const;
export type Exception = (typeof EXCEPTIONS)[number];

/** Approval policy: the contents of `metadata.approval` of a `listen` task. */
export interface ApprovalPolicy {
  /** If empty, the users with the `approve` permission decide (see `sharing/permissions.ts`). */
  readonly approvers: readonly Approver[];
  readonly except: readonly Exception[];
  /** Number of different users that must approve. One rejection suffices. */
  readonly count: number;
}

export interface PolicyProblem {
  /** Path of the problem, relative to the task. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Maximum number of approvers of one step, and of approvals that it can require. */
const MAX_APPROVERS = 50;
const MAX_COUNT = 10;
const AT = ['metadata', 'approval'] as const;
/** A filter value with one of these characters is a pattern, not a literal value. */
const PATTERN = /[*+?[\](){}|^$\\]/;

/**
 * Returns the policy of a released task, or undefined if the task has none. A release has already validated the policy.
 */
export function policyOf(task: JsonObject): ApprovalPolicy | undefined {
  const given = get(get(task, 'metadata'), 'approval');
  if (!isObject(given)) return undefined;
  const { approvers, except, count } = given;
  return {
    approvers: isList(approvers) ? approvers.flatMap((one) => approverOf(one) ?? []) : [],
    except: isList(except) ? EXCEPTIONS.filter((one) => except.includes(one)) : [],
    count: typeof count === 'number' ? count : 1,
  };
}

/** Validates `metadata.approval` of a task. Returns no problems for a task without it. */
export function policyProblems(task: JsonObject): PolicyProblem[] {
  const given = get(get(task, 'metadata'), 'approval');
  if (given === undefined) return [];
  const at = (message: string, ...path: (string | number)[]): PolicyProblem => ({ path: [...AT, ...path], message });
  if (!isObject(given)) return [at('must be an object with `approvers`, `except` or `count`')];
  if (task.listen === undefined) return [at('only a `listen` task waits for an approval')];
  const { approvers, except, count, ...others } = given;
  return [
    ...Object.keys(others).map((name) =>
      at(`\`approvers\`, \`except\` and \`count\` are known, not \`${name}\``, name),
    ),
    ...approverProblems(approvers).map(({ path, message }) => at(message, 'approvers', ...path)),
    ...(except === undefined ||
    (isList(except) && except.every((one) => (EXCEPTIONS as readonly JsonValue[]).includes(one)))
      ? []
      : [at(`must be a list of ${EXCEPTIONS.map((one) => `\`${one}\``).join(' and ')}`, 'except')]),
    ...(count === undefined || (Number.isInteger(count) && Number(count) >= 1 && Number(count) <= MAX_COUNT)
      ? []
      : [at(`must be a whole number from 1 to ${MAX_COUNT}`, 'count')]),
    ...listenProblems(task),
  ];
}

function approverProblems(approvers: JsonValue | undefined): PolicyProblem[] {
  if (approvers === undefined) return [];
  if (!isList(approvers) || approvers.length === 0 || approvers.length > MAX_APPROVERS)
    return [{ path: [], message: `must be a list of 1 to ${MAX_APPROVERS} approvers` }];
  return approvers.flatMap((one, index) =>
    approverOf(one) === undefined
      ? [{ path: [index], message: `must be one of \`user\`, \`team\` and \`role\` (${ROLES.join(', ')})` }]
      : [],
  );
}

function approverOf(given: JsonValue): Approver | undefined {
  if (!isObject(given)) return undefined;
  const [entry, ...more] = Object.entries(given);
  if (entry === undefined || more.length > 0) return undefined;
  const [kind, name] = entry;
  if (typeof name !== 'string' || name === '') return undefined;
  if (kind === 'user') return { user: name };
  if (kind === 'team') return { team: name };
  return kind === 'role' && (ROLES as readonly string[]).includes(name) ? { role: name as Role } : undefined;
}

/**
 * The service builds the event of a decision itself. So the filter must determine exactly one event, and a rejection
 * must pass it too.
 */
function listenProblems(task: JsonObject): PolicyProblem[] {
  const to = get(task.listen, 'to');
  const one = get(to, 'one');
  const path = ['listen', 'to'];
  if (one === undefined || get(to, 'until') !== undefined || task.foreach !== undefined)
    return [{ path, message: 'a step that needs an approval listens `to` exactly `one` event, without `foreach`' }];
  const { type, source, subject, data } = (get(one, 'with') ?? {}) as JsonObject;
  const filter = [...path, 'one', 'with'];
  const inexact = Object.entries({ type, source, subject }).filter(
    ([, value]) => typeof value === 'string' && !value.includes('${') && PATTERN.test(value),
  );
  const correlations = Object.entries(get(one, 'correlate') ?? {});
  return [
    ...(typeof type === 'string' ? [] : [{ path: filter, message: 'the event of an approval has a `type`' }]),
    ...(data === undefined
      ? []
      : [
          {
            path: [...filter, 'data'],
            message: 'the event of an approval is not filtered by `data`: a rejection has to pass, too',
          },
        ]),
    ...inexact.map(([name]) => ({ path: [...filter, name], message: 'must be the exact value, not a pattern' })),
    ...correlations.flatMap(([name, { from, expect }]) =>
      typeof from === 'string' && PLAIN_PATH.test(from) && expect !== undefined
        ? []
        : [
            {
              path: [...path, 'one', 'correlate', name],
              message:
                'a correlation of an approval has a path as `from`, such as `.data.execution` in an expression, and `expect`',
            },
          ],
    ),
  ];
}

const PLAIN_PATH = /^\s*\$\{\s*\.data(?:\.[A-Za-z_]\w*)+\s*\}\s*$/;
