import { useQuery } from '@tanstack/react-query';
import { numberText } from '../../language/numbers.ts';
import { FigureTiles } from '../../parts/charts/figure-tile.tsx';
import { durationText } from '../../parts/execution/duration.ts';
import { figuresQuery } from './queries.ts';
import { CASES_TEXT } from './text.ts';

const TEXT = CASES_TEXT.figures;

/** Figures of the cases of the last 30 days. Empty until they are loaded. */
export function CaseFigures() {
  const { data } = useQuery(figuresQuery);
  if (data === undefined || data.opened === 0) return null;
  const { opened, stillOpen, timeToAcknowledge, timeToClose } = data;
  const time = (label: string, { p50, p95 }: typeof timeToClose) =>
    p50 === null || p95 === null
      ? { label, value: TEXT.none, hint: TEXT.title }
      : { label, value: durationText(p50 * 1_000), hint: TEXT.spread(durationText(p95 * 1_000)) };
  const figures = [
    { label: TEXT.opened, value: numberText(opened), hint: TEXT.title },
    { label: TEXT.stillOpen, value: numberText(stillOpen), hint: TEXT.title },
    time(TEXT.acknowledge, timeToAcknowledge),
    time(TEXT.close, timeToClose),
  ];
  return <FigureTiles label={TEXT.title} figures={figures} />;
}
