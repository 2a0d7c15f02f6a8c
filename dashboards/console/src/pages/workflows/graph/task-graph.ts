import type { Task } from './task-tree.ts';

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  /** The group it stands in. */
  readonly parent: string | undefined;
  readonly conditional: boolean;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string | undefined;
  /** The way of an error. */
  readonly onError: boolean;
}

/** `groups` are tasks that hold others; edges lead from and to `nodes` only. */
export interface TaskGraph {
  readonly nodes: readonly GraphNode[];
  readonly groups: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export const START = 'start';
export const END = 'end';

/** A way out of a task that leads to somewhere yet to be found. */
interface Exit {
  readonly from: string;
  readonly target: string | undefined;
  readonly label?: string;
}
interface Part {
  readonly name: string;
  readonly entries: readonly string[];
  readonly exits: readonly Exit[];
}

/** Who follows whom. Loops are told by their group, not by an edge back. */
export function taskGraph(tasks: readonly Task[]): TaskGraph {
  const nodes: GraphNode[] = [point(START)];
  const groups: GraphNode[] = [];
  const edges: GraphEdge[] = [];

  const connect = ({ from, label }: Exit, to: string, onError = false) => {
    if (!edges.some((edge) => edge.from === from && edge.to === to)) edges.push({ from, to, label, onError });
  };

  /** Connects the tasks of a list with each other; gives the ways into and out of it. */
  function list(of: readonly Task[], parent: string | undefined): Omit<Part, 'name'> {
    const parts = of.map((task) => part(task, parent));
    const exits: Exit[] = [];
    parts.forEach(({ exits: ways }, index) => {
      for (const way of ways) {
        const next = way.target === undefined ? parts[index + 1] : parts.find(({ name }) => name === way.target);
        if (way.target === 'end') connect(way, END);
        else if (next === undefined) exits.push({ ...way, target: undefined });
        else for (const entry of next.entries) connect(way, entry);
      }
    });
    return { entries: parts[0]?.entries ?? [], exits };
  }

  function part(task: Task, parent: string | undefined): Part {
    const { name, kind, path, next, branches, condition } = task;
    const node = { id: path, label: name, kind, parent, conditional: condition !== undefined };
    if (branches.length === 0) {
      nodes.push(node);
      return { name, entries: [path], exits: exitsOf(task) };
    }
    groups.push(node);
    const inner = branches.map(({ role, tasks: of }) => {
      if (kind !== 'try') return list(of, path);
      const id = `${path}/${role}`;
      groups.push({ id, label: role, kind: role, parent: path, conditional: false });
      return list(of, id);
    });
    if (kind === 'try' && inner.length > 1)
      for (const from of inner[0]?.entries ?? [])
        for (const to of inner[1]?.entries ?? []) connect({ from, target: undefined, label: 'on error' }, to, true);
    const entered = kind === 'fork' ? inner : inner.slice(0, 1);
    return {
      name,
      entries: entered.flatMap(({ entries }) => entries),
      exits: inner.flatMap(({ exits }) => exits).map((exit) => ({ ...exit, target: next })),
    };
  }

  const whole = list(tasks, undefined);
  nodes.push(point(END));
  for (const entry of whole.entries) connect({ from: START, target: undefined }, entry);
  if (whole.entries.length === 0) connect({ from: START, target: undefined }, END);
  for (const exit of whole.exits) connect(exit, END);
  return { nodes, groups, edges };
}

function exitsOf({ path, kind, cases, next }: Task): Exit[] {
  if (kind === 'raise') return [];
  if (kind !== 'switch') return [{ from: path, target: next }];
  const otherwise = cases.every(({ when }) => when !== undefined);
  return [
    ...cases.map((one): Exit => ({ from: path, target: one.next, label: one.name })),
    ...(otherwise ? [{ from: path, target: next, label: 'otherwise' }] : []),
  ];
}

function point(id: string): GraphNode {
  return { id, label: id, kind: id, parent: undefined, conditional: false };
}
