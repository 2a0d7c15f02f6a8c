import { StatusBadge } from '../../parts/status-badge.tsx';

/** How many detections wait for somebody, and of how many. */
export function OpenCount({ of }: { readonly of: { readonly detections: number; readonly openDetections: number } }) {
  const { detections, openDetections } = of;
  if (detections === 0) return 'none';
  return (
    <>
      <StatusBadge text={openDetections.toLocaleString()} tone={openDetections === 0 ? 'good' : 'bad'} /> of{' '}
      {detections.toLocaleString()}
    </>
  );
}
