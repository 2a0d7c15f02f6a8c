import { WORKFLOWS_TEXT } from '../text.ts';
import type { Task } from './task-tree.ts';

export interface GraphNode {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  /** Id of the group that contains it. */
  readonly parent: string | undefined;
  readonly conditional: boolean;
}

export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  readonly label: string | undefined;
  /** True if it is followed after an error. */
  readonly onError: boolean;
}

/** `groups` are tasks that contain tasks. Edges connect only `nodes`. */
export interface TaskGraph {
  readonly nodes: readonly GraphNode[];
  readonly groups: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
}

export const START = 'start';
export const END = 'end';

/** An edge from a task whose target is not known yet. */
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

/** Returns the order of tasks. A loop is shown as a group, without a backward edge. */
export function taskGraph(tasks: readonly Task[]): TaskGraph {
  const nodes: GraphNode[] = [point(START)];
  const groups: GraphNode[] = [];
  const edges: GraphEdge[] = [];

  const connect = ({ from, label }: Exit, to: string, onError = false) => {
    if (!edges.some((edge) => edge.from === from && edge.to === to)) edges.push({ from, to, label, onError });
  };

  /** Connects the tasks of a list. Returns its entry and its exits. */
  function list(of: readonly Task[], parent: string | undefined): Omit<Part, 'name'> {
    const parts = of.map((task) => part(task, parent));
    const exits: Exit[] = [];
    parts.forEach(({ exits: leaving }, index) => {
      for (const exit of leaving) {
        const next = exit.target === undefined ? parts[index + 1] : parts.find(({ name }) => name === exit.target);
        if (exit.target === 'end') connect(exit, END);
        else if (next === undefined) exits.push({ ...exit, target: undefined });
        else for (const entry of next.entries) connect(exit, entry);
      }
    });
    return { entries: parts[0]?.entries ?? [], exits };
  }

  function part(task: Task, parent: string | undefined): Part {
    const { name, kind, path, next, lists, flow, condition } = task;
    const node = { id: path, label: name, kind, parent, conditional: condition !== null };
    if (lists.length === 0) {
      nodes.push(node);
      return { name, entries: [path], exits: exitsOf(task) };
    }
    groups.push(node);
    const inner = lists.map(({ role, tasks: of }) => {
      if (flow !== 'attempt') return list(of, path);
      const id = `${path}/${role}`;
      groups.push({ id, label: role, kind: role, parent: path, conditional: false });
      return list(of, id);
    });
    if (flow === 'attempt' && inner.length > 1)
      for (const from of inner[0]?.entries ?? [])
        for (const to of inner[1]?.entries ?? [])
          connect({ from, target: undefined, label: WORKFLOWS_TEXT.tasks.onError }, to, true);
    const entered = flow === 'parallel' ? inner : inner.slice(0, 1);
    return {
      name,
      entries: entered.flatMap(({ entries }) => entries),
      exits: inner.flatMap(({ exits }) => exits).map((exit) => ({ ...exit, target: next ?? undefined })),
    };
  }

  const whole = list(tasks, undefined);
  nodes.push(point(END));
  for (const entry of whole.entries) connect({ from: START, target: undefined }, entry);
  if (whole.entries.length === 0) connect({ from: START, target: undefined }, END);
  for (const exit of whole.exits) connect(exit, END);
  return { nodes, groups, edges };
}

function exitsOf({ path, flow, cases, next }: Task): Exit[] {
  if (flow === 'end') return [];
  const following = { from: path, target: next ?? undefined };
  if (flow !== 'choice') return [following];
  const otherwise = cases.every(({ when }) => when !== null);
  return [
    ...cases.map((one): Exit => ({ from: path, target: one.next ?? undefined, label: one.name })),
    ...(otherwise ? [{ ...following, label: WORKFLOWS_TEXT.tasks.otherwiseEdge }] : []),
  ];
}

function point(id: string): GraphNode {
  return { id, label: id, kind: id, parent: undefined, conditional: false };
}
