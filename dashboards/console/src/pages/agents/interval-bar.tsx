const HEIGHT = 22;
const BAR = 8;

/** Shows a rate from 0 to 1 with its interval, on a scale from 0 to 100 %. `label` contains the same as text. */
export function IntervalBar({
  rate,
  interval,
  label,
}: {
  readonly rate: number;
  readonly interval: { readonly low: number; readonly high: number };
  readonly label: string;
}) {
  const top = (HEIGHT - BAR) / 2;
  const percent = (value: number) => `${value * 100}%`;
  return (
    <svg width="100%" height={HEIGHT} role="img" aria-label={label} style={{ display: 'block' }}>
      <rect x="0" y={top} width="100%" height={BAR} rx={BAR / 2} fill="var(--mantine-color-default-hover)" />
      <rect x="0" y={top} width={percent(rate)} height={BAR} rx={BAR / 2} fill="var(--tl-good-mark)" />
      <g stroke="var(--mantine-color-text)" strokeWidth="1.5">
        <line x1={percent(interval.low)} x2={percent(interval.high)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
        <line x1={percent(interval.low)} x2={percent(interval.low)} y1={top - 3} y2={top + BAR + 3} />
        <line x1={percent(interval.high)} x2={percent(interval.high)} y1={top - 3} y2={top + BAR + 3} />
      </g>
    </svg>
  );
}
