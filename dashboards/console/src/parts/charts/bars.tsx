import { useMemo } from 'react';
import UPlot from 'uplot';
import { Plot, type PlotProps } from './plot.tsx';

const bars = UPlot.paths.bars?.({ size: [0.9, 40], align: 1 });

/** A plot whose series are bars that start at their x value. Import it lazily. */
export function Bars({ options, ...props }: PlotProps) {
  const drawn = useMemo(() => {
    const [x = {}, ...series] = options.series;
    return { ...options, series: [x, ...series.map((one) => ({ ...one, ...(bars ? { paths: bars } : {}) }))] };
  }, [options]);
  return <Plot {...props} options={drawn} />;
}
