import { useId, useMemo } from 'react';
import { WORKFLOWS_TEXT } from '../text.ts';
import { layOut } from './layout.ts';
import { END, START, taskGraph } from './task-graph.ts';
import type { Task } from './task-tree.ts';

const MAX_LABEL = 28;

/** The tasks as a chart. Screen readers use the list of tasks instead. */
export function GraphView({ tasks, label }: { readonly tasks: readonly Task[]; readonly label: string }) {
  const arrow = useId();
  const { width, height, nodes, groups, edges } = useMemo(() => layOut(taskGraph(tasks)), [tasks]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      style={{ maxWidth: '100%', height: 'auto', fontSize: 13, fill: 'currentColor' }}
    >
      <defs>
        <marker id={arrow} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0L8 4L0 8z" />
        </marker>
      </defs>
      {groups.map(({ id, box }) => (
        <rect key={id} {...box} rx="8" fill="var(--tl-surface)" stroke="var(--mantine-color-default-border)" />
      ))}
      {edges.map(({ from, to, points, onError }) => (
        <path
          key={`${from} ${to}`}
          d={pathOf(points)}
          fill="none"
          stroke="var(--mantine-color-dimmed)"
          strokeWidth="1.4"
          strokeDasharray={onError ? '5 4' : undefined}
          markerEnd={`url(#${arrow})`}
        />
      ))}
      {groups.map(({ id, label: name, kind, box }) => (
        <text
          key={id}
          x={box.x + 10}
          y={box.y + 17}
          fill="var(--mantine-color-dimmed)"
          stroke="var(--tl-surface)"
          strokeWidth="5"
          paintOrder="stroke"
        >
          {name === kind ? name : WORKFLOWS_TEXT.tasks.named(short(name), kind)}
        </text>
      ))}
      {nodes.map(({ id, label: name, kind, conditional, box }) =>
        id === START || id === END ? (
          <circle
            key={id}
            cx={box.x + box.width / 2}
            cy={box.y + box.height / 2}
            r={box.width / 2 - 1}
            fill={id === START ? 'var(--mantine-color-dimmed)' : 'var(--mantine-color-body)'}
            stroke="var(--mantine-color-dimmed)"
            strokeWidth={id === START ? 1 : 4}
          />
        ) : (
          <g key={id}>
            <rect
              {...box}
              rx="6"
              fill="var(--mantine-color-body)"
              stroke="var(--mantine-color-anchor)"
              strokeDasharray={conditional ? '5 3' : undefined}
            />
            <text x={box.x + box.width / 2} y={box.y + 18} textAnchor="middle" fontWeight="600">
              {short(name)}
            </text>
            <text
              x={box.x + box.width / 2}
              y={box.y + 34}
              textAnchor="middle"
              fontSize="11"
              fill="var(--mantine-color-dimmed)"
            >
              {conditional ? WORKFLOWS_TEXT.tasks.conditional(kind) : kind}
            </text>
          </g>
        ),
      )}
      {edges.map(({ from, to, label: text, labelAt }) =>
        text === undefined || labelAt === undefined ? null : (
          <text
            key={`${from} ${to} label`}
            x={labelAt.x}
            y={labelAt.y + 4}
            textAnchor="middle"
            fontSize="12"
            stroke="var(--mantine-color-body)"
            strokeWidth="4"
            paintOrder="stroke"
          >
            {text}
          </text>
        ),
      )}
    </svg>
  );
}

function pathOf(points: readonly { readonly x: number; readonly y: number }[]): string {
  return points.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`).join('');
}

function short(name: string): string {
  return name.length <= MAX_LABEL ? name : `${name.slice(0, MAX_LABEL - 1)}…`;
}
