import { Graph, layout } from '@dagrejs/dagre';
import { END, type GraphEdge, type GraphNode, START, type TaskGraph } from './task-graph.ts';

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}
export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly (GraphNode & { readonly box: Box })[];
  /** Outer groups first. */
  readonly groups: readonly (GraphNode & { readonly box: Box })[];
  readonly edges: readonly (GraphEdge & {
    readonly points: readonly { readonly x: number; readonly y: number }[];
    readonly labelAt: { readonly x: number; readonly y: number } | undefined;
  })[];
}

const CHAR_PX = 7.6;
const NODE_HEIGHT = 42;
const POINT_PX = 18;
const PAD = 14;
const TITLE = 20;
const MARGIN = 8;

/** Computes the positions of the tasks, from top to bottom. */
export function layOut({ nodes, groups, edges }: TaskGraph): Layout {
  const graph = new Graph({ compound: true, multigraph: false });
  graph.setGraph({ rankdir: 'TB', nodesep: 36, ranksep: 44, edgesep: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of groups) graph.setNode(id, {});
  for (const node of nodes) graph.setNode(node.id, sizeOf(node));
  for (const { id, parent } of [...groups, ...nodes]) if (parent !== undefined) graph.setParent(id, parent);
  for (const { from, to, label } of edges)
    graph.setEdge(from, to, label === undefined ? {} : { width: label.length * CHAR_PX, height: 16, labelpos: 'c' });
  layout(graph);

  const placed = nodes.map((node) => {
    const { x = 0, y = 0 } = graph.node(node.id) as { x?: number; y?: number };
    const { width, height } = sizeOf(node);
    return { ...node, box: { x: x - width / 2, y: y - height / 2, width, height } };
  });
  const boxes = new Map<string, Box>(placed.map(({ id, box }) => [id, box]));
  // Inner groups first, because an outer group encloses them.
  for (const group of [...groups].reverse()) {
    const inner = [...nodes, ...groups].flatMap(({ id, parent }) => (parent === group.id ? [boxes.get(id)] : []));
    boxes.set(
      group.id,
      around(
        inner.filter((box): box is Box => box !== undefined),
        group.label,
      ),
    );
  }
  const lines = edges.map((edge) => {
    const found = graph.edge(edge.from, edge.to) as { points?: { x: number; y: number }[]; x?: number; y?: number };
    const { points = [], x, y } = found;
    return {
      ...edge,
      points,
      labelAt: edge.label === undefined || x === undefined || y === undefined ? undefined : { x, y },
    };
  });
  const all = [...boxes.values()];
  const points = lines.flatMap((line) => line.points);
  const left = Math.min(...all.map(({ x }) => x), ...points.map(({ x }) => x)) - MARGIN;
  const top = Math.min(...all.map(({ y }) => y)) - MARGIN;
  const right = Math.max(...all.map(({ x, width }) => x + width), ...points.map(({ x }) => x)) + MARGIN;
  const bottom = Math.max(...all.map(({ y, height }) => y + height)) + MARGIN;
  const moved = <P extends { readonly x: number; readonly y: number }>(place: P): P => ({
    ...place,
    x: place.x - left,
    y: place.y - top,
  });
  return {
    width: right - left,
    height: bottom - top,
    nodes: placed.map((node) => ({ ...node, box: moved(node.box) })),
    groups: groups.map((group) => ({ ...group, box: moved(boxes.get(group.id) ?? around([], group.label)) })),
    edges: lines.map((line) => ({
      ...line,
      points: line.points.map(moved),
      labelAt: line.labelAt === undefined ? undefined : moved(line.labelAt),
    })),
  };
}

function sizeOf({ id, label, kind }: GraphNode): { width: number; height: number } {
  if (id === START || id === END) return { width: POINT_PX, height: POINT_PX };
  const characters = Math.max(label.length, kind.length + 4);
  return { width: Math.min(Math.max(characters * CHAR_PX + 24, 96), 240), height: NODE_HEIGHT };
}

function around(boxes: readonly Box[], title: string): Box {
  const x = Math.min(...boxes.map((box) => box.x)) - PAD;
  const y = Math.min(...boxes.map((box) => box.y)) - PAD - TITLE;
  const right = Math.max(...boxes.map((box) => box.x + box.width)) + PAD;
  const bottom = Math.max(...boxes.map((box) => box.y + box.height)) + PAD;
  if (boxes.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  return { x, y, width: Math.max(right - x, title.length * CHAR_PX + 2 * PAD), height: bottom - y };
}
