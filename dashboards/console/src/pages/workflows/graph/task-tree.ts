import { isRecord } from '../../../parts/run-form/json.ts';

/** A task of a definition, with the tasks inside it. */
export interface Task {
  /** Where it stands in the definition; steps of executions are named so too. */
  readonly path: string;
  readonly name: string;
  /** The word of the language: set, call, for … */
  readonly kind: string;
  /** More about it, in a few words: what is called, over what is iterated. */
  readonly detail: string | undefined;
  /** It is left out unless this is true. */
  readonly condition: string | undefined;
  /** Where it goes on: the name of a task, `end`, `exit`, or undefined for the next one. */
  readonly next: string | undefined;
  /** Of a switch. */
  readonly cases: readonly {
    readonly name: string;
    readonly when: string | undefined;
    readonly next: string | undefined;
  }[];
  readonly branches: readonly TaskList[];
}

export interface TaskList {
  /** What this list is in its task: `do`, `try`, `catch`, `foreach`; of `fork` the branches, each a list of one. */
  readonly role: string;
  readonly tasks: readonly Task[];
}

/** `for` and `fork` before `do`, which may stand beside them. */
const KINDS = ['call', 'emit', 'for', 'fork', 'listen', 'raise', 'run', 'set', 'switch', 'try', 'wait', 'do'] as const;
const MAX_DETAIL = 60;

/** The tasks of a definition in their order. What does not look like one is left out: the server has checked it, newer ones may say more. */
export function taskTree(definition: unknown): Task[] {
  return tasksIn(isRecord(definition) ? definition.do : undefined, '/do');
}

/** How many there are, inner ones too. */
export function countTasks(tasks: readonly Task[]): number {
  return tasks.reduce(
    (sum, { branches }) => sum + 1 + branches.reduce((inner, branch) => inner + countTasks(branch.tasks), 0),
    0,
  );
}

function tasksIn(list: unknown, path: string): Task[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((item: unknown, index) =>
    Object.entries(isRecord(item) ? item : {}).flatMap(([name, task]) =>
      isRecord(task) ? [taskOf(name, task, `${path}/${index}/${name}`)] : [],
    ),
  );
}

function taskOf(name: string, task: { readonly [key: string]: unknown }, path: string): Task {
  const kind = KINDS.find((one) => one in task) ?? 'task';
  return {
    path,
    name,
    kind,
    detail: detailOf(kind, task[kind], task),
    condition: text(task.if),
    next: nextOf(task.then),
    cases: kind === 'switch' ? casesOf(task.switch) : [],
    branches: branchesOf(kind, task, path).filter(({ tasks }) => tasks.length > 0),
  };
}

function branchesOf(kind: string, task: { readonly [key: string]: unknown }, path: string): TaskList[] {
  const of = (role: string, list: unknown, at: string): TaskList => ({ role, tasks: tasksIn(list, `${path}/${at}`) });
  if (kind === 'do') return [of('do', task.do, 'do')];
  if (kind === 'for') return [of('do', task.do, 'for/do')];
  if (kind === 'try') {
    const caught = isRecord(task.catch) ? task.catch.do : undefined;
    return [of('try', task.try, 'try'), of('catch', caught, 'catch/do')];
  }
  if (kind === 'fork')
    return of('branches', isRecord(task.fork) ? task.fork.branches : undefined, 'fork/branches').tasks.map((one) => ({
      role: 'branch',
      tasks: [one],
    }));
  if (kind === 'listen') return [of('foreach', isRecord(task.foreach) ? task.foreach.do : undefined, 'foreach/do')];
  return [];
}

function casesOf(cases: unknown): Task['cases'] {
  if (!Array.isArray(cases)) return [];
  return cases.flatMap((item: unknown) =>
    Object.entries(isRecord(item) ? item : {}).map(([name, given]) => ({
      name,
      when: isRecord(given) ? text(given.when) : undefined,
      next: isRecord(given) ? nextOf(given.then) : undefined,
    })),
  );
}

function detailOf(kind: string, value: unknown, task: { readonly [key: string]: unknown }): string | undefined {
  switch (kind) {
    case 'call':
      return short(callDetail(text(value), task.with));
    case 'for':
      return isRecord(value)
        ? short(`each ${text(value.each) ?? 'item'} in ${text(value.in) ?? 'the input'}`)
        : undefined;
    case 'fork':
      return isRecord(value) && value.compete === true ? 'the first to end wins' : 'all at once';
    case 'run':
      return isRecord(value) ? runDetail(value) : undefined;
    case 'listen':
    case 'emit':
      return short(eventTypes(value).join(', '));
    default:
      return undefined;
  }
}

function callDetail(called: string | undefined, given: unknown): string | undefined {
  if (called !== 'http' || !isRecord(given)) return called;
  const { endpoint, method } = given;
  const uri = isRecord(endpoint) ? text(endpoint.uri) : text(endpoint);
  return [text(method)?.toUpperCase() ?? 'GET', uri].filter(Boolean).join(' ');
}

function runDetail(run: { readonly [key: string]: unknown }): string | undefined {
  if (isRecord(run.workflow)) return short(`workflow ${text(run.workflow.name) ?? ''}`);
  if (isRecord(run.script)) return short(`script, ${text(run.script.language) ?? 'javascript'}`);
  return Object.keys(run)[0];
}

/** Types of the events that stand anywhere in it. */
function eventTypes(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(eventTypes);
  if (!isRecord(value)) return [];
  const own = isRecord(value.with) ? text(value.with.type) : undefined;
  return own === undefined ? Object.values(value).flatMap(eventTypes) : [own];
}

function nextOf(value: unknown): string | undefined {
  const named = text(value);
  return named === 'continue' ? undefined : named;
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function short(value: string | undefined): string | undefined {
  if (value === undefined || value === '') return undefined;
  return value.length <= MAX_DETAIL ? value : `${value.slice(0, MAX_DETAIL - 1)}…`;
}
