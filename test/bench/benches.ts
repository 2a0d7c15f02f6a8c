import type { BenchContext } from './context.ts';
import { benchDecode } from './decode.ts';
import { benchDetector } from './detector.ts';
import { benchLanding } from './landing.ts';
import { benchPipeline } from './pipeline.ts';
import type { BenchRow } from './row.ts';
import { benchTracker } from './tracker.ts';

/** Every benchmark by the name it is chosen by, in the order they run. */
export const BENCHES = {
  decode: benchDecode,
  tracker: benchTracker,
  detector: benchDetector,
  landing: benchLanding,
  pipeline: benchPipeline,
} satisfies Record<string, (context: BenchContext) => Promise<BenchRow[]>>;

export type BenchName = keyof typeof BENCHES;
