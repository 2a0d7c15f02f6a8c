import { numberText } from '../../language/numbers.ts';
import { StatusBadge } from '../../parts/status-badge.tsx';
import { HOSTS_TEXT } from './text.ts';

const TEXT = HOSTS_TEXT.openCount;

/** Number of open detections, and of all detections. */
export function OpenCount({ of }: { readonly of: { readonly detections: number; readonly openDetections: number } }) {
  const { detections, openDetections } = of;
  if (detections === 0) return TEXT.none;
  return (
    <>
      <StatusBadge text={numberText(openDetections)} tone={openDetections === 0 ? 'good' : 'bad'} />
      {TEXT.of(detections)}
    </>
  );
}
