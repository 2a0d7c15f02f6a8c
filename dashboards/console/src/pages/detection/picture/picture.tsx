import { Group, Text } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type PointerEvent, useId, useMemo, useState } from 'react';
import { exactText } from '../../../parts/time/time-words.ts';
import { DETECTION_TEXT } from '../text.ts';
import { layOut, type PictureLayout, type PlacedMark } from './lay-out.ts';
import { LegendChip } from './legend-chip.tsx';
import type { Mark, PictureModel } from './picture-model.ts';
import { ProgressScale } from './progress-scale.tsx';
import { textWidth } from './text-width.ts';
import './picture.css';

const TEXT = DETECTION_TEXT.picture;
/** Maximum distance of the pointer at which a point shows its tooltip, px. */
const NEAR_PX = 24;

/** The picture of a detection: points over time, with a tooltip for pointer and keyboard. */
export function Picture({ model }: { readonly model: PictureModel }) {
  const { ref, width } = useElementSize();
  const hatch = useId();
  const navigate = useNavigate();
  const [index, setIndex] = useState<number>();
  const [spoken, setSpoken] = useState('');
  const layout = useMemo(() => (width > 0 ? layOut(model, width, textWidth) : undefined), [model, width]);
  const chosen = index === undefined ? undefined : layout?.marks[index];

  function open({ opens }: Mark) {
    if (opens?.kind === 'event') void navigate({ to: '/events/$id', params: { id: opens.id } });
    if (opens?.kind === 'detection') void navigate({ to: '/detections/$id', params: { id: opens.id } });
  }

  function onKeyDown(event: KeyboardEvent) {
    if (layout === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = layout.marks.length - 1;
    const at = index ?? last;
    const moves: Readonly<Record<string, number>> = {
      ArrowRight: Math.min(at + 1, last),
      ArrowLeft: Math.max(at - 1, 0),
      Home: 0,
      End: last,
    };
    const to = moves[event.key];
    if (event.key === 'Escape') setIndex(undefined);
    else if (event.key === 'Enter' && chosen !== undefined) open(chosen.mark);
    else if (to !== undefined) {
      const mark = layout.marks[to]?.mark;
      setIndex(to);
      if (mark !== undefined) setSpoken([timeOf(mark), ...mark.lines].join(', '));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  function onPointerMove({ clientX, clientY, currentTarget }: PointerEvent) {
    const box = currentTarget.getBoundingClientRect();
    setIndex(layout && nearest(layout.marks, clientX - box.left, clientY - box.top));
  }

  return (
    <div>
      {model.progress !== undefined && <ProgressScale progress={model.progress} />}
      {/* All points share one stop of the Tab key. */}
      <div
        ref={ref}
        className="tl-picture"
        role="group"
        aria-label={TEXT.keys}
        tabIndex={0}
        data-opens={chosen?.mark.opens !== undefined || undefined}
        onKeyDown={onKeyDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setIndex(undefined)}
        onClick={() => chosen !== undefined && open(chosen.mark)}
        onBlur={() => setIndex(undefined)}
      >
        {layout !== undefined && (
          <svg width={width} height={layout.height} role="img" aria-label={model.summary}>
            <PictureDrawing layout={layout} hatch={hatch} />
            {chosen !== undefined && <circle className="tl-picture-chosen" cx={chosen.x} cy={chosen.y} r={8} />}
          </svg>
        )}
        {chosen !== undefined && <Tooltip chosen={chosen} width={width} />}
      </div>
      <span className="tl-screen-reader" aria-live="polite">
        {spoken}
      </span>
      {model.legend.length > 0 && (
        <Group gap={6} mt={8}>
          {model.legend.map((entry) => (
            <LegendChip key={entry.text} entry={entry} />
          ))}
        </Group>
      )}
    </div>
  );
}

/** Axes, bands, lines and points: all elements that do not depend on the pointer. */
function PictureDrawing({ layout, hatch }: { readonly layout: PictureLayout; readonly hatch: string }) {
  const { plot, rows, bands, references, breaks, ticks, days, paths } = layout;
  const bottom = plot.top + plot.height;
  return (
    <>
      <defs>
        <pattern id={hatch} width={8} height={8} patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
          <line className="tl-picture-hatch" x1={0} y1={0} x2={0} y2={8} />
        </pattern>
      </defs>
      {rows.map(({ y, text, whole, line }) => (
        <g key={`${y} ${whole}`}>
          {line && <line className="tl-picture-grid" x1={plot.left} x2={plot.left + plot.width} y1={y} y2={y} />}
          <text x={plot.left - 8} y={y} textAnchor="end" dominantBaseline="central">
            {text}
            {text !== whole && <title>{whole}</title>}
          </text>
        </g>
      ))}
      {bands.map(({ left, width }) => (
        <g key={left}>
          <rect className="tl-picture-band" x={left} width={width} y={plot.top} height={plot.height} />
          <rect fill={`url(#${hatch})`} x={left} width={width} y={plot.top} height={plot.height} />
        </g>
      ))}
      {references.map(({ y, text, label }) => (
        <g key={text}>
          <line className="tl-picture-reference" x1={plot.left} x2={plot.left + plot.width} y1={y} y2={y} />
          {label !== undefined && (
            <text className="tl-picture-note" x={label.left} y={label.top}>
              {text}
            </text>
          )}
        </g>
      ))}
      {breaks.map(({ left, right, text, title }) => (
        <g key={left}>
          <rect className="tl-picture-break" x={left} width={right - left} y={plot.top} height={plot.height} />
          <text
            className="tl-picture-pause"
            transform={`translate(${(left + right) / 2} ${plot.top + plot.height / 2}) rotate(-90)`}
            textAnchor="middle"
            dominantBaseline="central"
          >
            {text}
            <title>{title}</title>
          </text>
        </g>
      ))}
      {paths.map(({ shape, d }) => (
        <path key={shape} className={`tl-picture-${shape}`} d={d} />
      ))}
      {layout.bandLabels.map(({ text, left, top }) => (
        <text key={`${left} ${text}`} className="tl-picture-count" x={left} y={top}>
          {text}
        </text>
      ))}
      <line className="tl-picture-axis" x1={plot.left} x2={plot.left + plot.width} y1={bottom} y2={bottom} />
      {ticks.map(({ x, left, text }) => (
        <g key={x}>
          <line className="tl-picture-axis" x1={x} x2={x} y1={bottom} y2={bottom + 4} />
          <text x={left} y={bottom + 18}>
            {text}
          </text>
        </g>
      ))}
      {days.map(({ left, text }) => (
        <text key={left} x={left} y={bottom + 34}>
          {text}
        </text>
      ))}
    </>
  );
}

function Tooltip({ chosen: { x, y, mark }, width }: { readonly chosen: PlacedMark; readonly width: number }) {
  const right = x > width / 2;
  return (
    <div
      className="tl-picture-tip"
      style={{ top: Math.max(y - 12, 0), ...(right ? { right: width - x + 14 } : { left: x + 14 }) }}
      aria-hidden
    >
      <Text size="xs" fw={600}>
        {timeOf(mark)}
      </Text>
      {mark.lines.map((line) => (
        <Text key={line} size="xs">
          {line}
        </Text>
      ))}
    </div>
  );
}

const timeOf = ({ seconds }: Mark): string => exactText(new Date(seconds * 1_000));

/** Returns the index of the mark nearest to a position; undefined if none is near. */
function nearest(marks: readonly PlacedMark[], x: number, y: number): number | undefined {
  let found: number | undefined;
  let least = NEAR_PX ** 2;
  for (const [index, mark] of marks.entries()) {
    const distance = (mark.x - x) ** 2 + (mark.y - y) ** 2;
    if (distance > least) continue;
    least = distance;
    found = index;
  }
  return found;
}
