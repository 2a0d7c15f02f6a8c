import { markPath } from './mark-path.ts';
import type { LegendEntry } from './picture-model.ts';
import './picture.css';

const SIZE = 14;
const MIDDLE = SIZE / 2;

/** An entry of the legend: its symbol as in the picture, and its text. */
export function LegendChip({ entry: { symbol, text } }: { readonly entry: LegendEntry }) {
  return (
    <span className="tl-picture-chip">
      {symbol !== 'none' && (
        <svg width={SIZE} height={SIZE} aria-hidden>
          {symbol === 'band' ? (
            <rect className="tl-picture-band" x={1} y={1} width={SIZE - 2} height={SIZE - 2} />
          ) : symbol === 'reference' ? (
            <line className="tl-picture-reference" x1={0} x2={SIZE} y1={MIDDLE} y2={MIDDLE} />
          ) : (
            <path
              className={`tl-picture-${symbol}`}
              d={markPath(symbol, MIDDLE, symbol === 'stem' ? 4 : MIDDLE, SIZE - 1)}
            />
          )}
        </svg>
      )}
      {text}
    </span>
  );
}
