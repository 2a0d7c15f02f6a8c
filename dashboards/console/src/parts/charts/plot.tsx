import 'uplot/dist/uPlot.min.css';
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import UPlot from 'uplot';
import { zoneName } from '../time/time-zone.ts';
import { CHART_COLORS, CHART_FONT } from '../tokens.ts';

export interface PlotProps {
  /** Content of the plot as a sentence with its main values, because screen readers cannot read a canvas. */
  readonly description: string;
  readonly data: UPlot.AlignedData;
  readonly options: Omit<UPlot.Options, 'width' | 'height'>;
  readonly height?: number;
  /** Lines of the tooltip for the point with this index. */
  readonly tip?: (index: number) => readonly string[];
  /** Called when a range of the x axis is selected with the mouse, in its units. */
  readonly onSelect?: (from: number, to: number) => void;
}

/**
 * The chart component of the console: points, lines or bars over time, as wide as its container. Times are seconds
 * since the epoch. Import it lazily.
 */
export function Plot({ description, data, options, height = 220, tip, onSelect }: PlotProps) {
  const element = useRef<HTMLDivElement>(null);
  const select = useRef(onSelect);
  select.current = onSelect;
  const tipOf = useRef(tip);
  tipOf.current = tip;
  const scheme = useComputedColorScheme();
  useEffect(() => {
    const parent = element.current;
    if (parent === null) return;
    const { ink, grid } = CHART_COLORS[scheme];
    const axes = (options.axes ?? [{}, {}]).map((axis) => ({
      stroke: ink,
      font: CHART_FONT,
      grid: { stroke: grid, width: 1 },
      ticks: { stroke: grid, width: 1 },
      ...axis,
    }));
    const plot = new UPlot(
      {
        ...options,
        ...(zoneName() === 'UTC' ? { tzDate: (seconds) => UPlot.tzDate(new Date(seconds * 1_000), 'Etc/UTC') } : {}),
        axes,
        width: parent.clientWidth || 600,
        height,
        cursor: { drag: { x: select.current !== undefined, y: false, setScale: false }, ...options.cursor },
        hooks: {
          ...options.hooks,
          setCursor: [(self) => placeTip(self, tipOf.current), ...(options.hooks?.setCursor ?? [])],
          setSelect: [
            (self) => {
              const { left, width } = self.select;
              if (width < 3) return;
              select.current?.(self.posToVal(left, 'x'), self.posToVal(left + width, 'x'));
            },
          ],
        },
      },
      data,
      parent,
    );
    const observer = new ResizeObserver(() => plot.setSize({ width: parent.clientWidth, height }));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [data, options, height, scheme]);
  return <div ref={element} role="img" aria-label={description} />;
}

const TIP = 'tl-plot-tip';
const TIP_GAP_PX = 12;

/** Shows the values at the pointer, on the side with more space. */
function placeTip({ over, cursor: { idx, left = 0 } }: UPlot, tip: PlotProps['tip']): void {
  if (tip === undefined) return;
  let box = over.querySelector<HTMLElement>(`.${TIP}`);
  if (box === null) {
    box = document.createElement('div');
    box.className = TIP;
    over.append(box);
  }
  box.hidden = idx === null || idx === undefined || left < 0;
  if (box.hidden || idx === null || idx === undefined) return;
  box.textContent = tip(idx).join('\n');
  const right = left > over.clientWidth / 2;
  box.style.left = right ? '' : `${left + TIP_GAP_PX}px`;
  box.style.right = right ? `${over.clientWidth - left + TIP_GAP_PX}px` : '';
}
