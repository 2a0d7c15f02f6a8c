import { StatusBadge } from '../../parts/status-badge.tsx';
import { type Detector, stateOfDetector } from './detector.ts';
import { DETECTORS_TEXT } from './text.ts';

const TONES = { active: 'good', lossy: 'warning', rejected: 'warning', waiting: 'neutral', silent: 'bad' } as const;

export function DetectorStateBadge({ of }: { readonly of: Detector }) {
  const state = stateOfDetector(of);
  return <StatusBadge text={DETECTORS_TEXT.states[state]} tone={TONES[state]} />;
}
