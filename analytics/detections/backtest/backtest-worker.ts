import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Detection } from '#schemas/detection.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { type Analysis, createAnalysis } from '../analyze.ts';
import type { DetectionSettings } from '../settings.ts';

/** What the thread is started with. */
export interface BacktestTask {
  readonly rule: string;
  readonly current: DetectionSettings;
  readonly proposed: DetectionSettings;
}

/** Events in their order, lane by lane; null: that was all. */
export type BacktestPortion = readonly { readonly lane: string; readonly raw: string }[] | null;

/** What was found: detections of the rule under each of the two settings. */
export interface BacktestFound {
  readonly current: readonly Detection[];
  readonly proposed: readonly Detection[];
}

/** Answers every portion: with null, the last one with what was found. */
export type BacktestAnswer = BacktestFound | null;

// On Linux a priority belongs to a thread, and 0 is the calling thread: threads that answer requests come first on a busy machine.
if (process.platform === 'linux') setPriority(0, 10);

const { rule, current, proposed } = workerData as BacktestTask;
const found = { current: new Map<string, Detection>(), proposed: new Map<string, Detection>() };
let lane: string | undefined;
let analyses = begin();

parentPort?.on('message', (portion: BacktestPortion) => {
  if (portion === null) {
    collect();
    parentPort?.postMessage({ current: [...found.current.values()], proposed: [...found.proposed.values()] });
    return;
  }
  for (const { lane: next, raw } of portion) {
    if (next !== lane) {
      collect();
      analyses = begin();
      lane = next;
    }
    // Whatever dialect it came in: what has landed was accepted then, and counts.
    const accepted = readEvent(raw, { signalDialect: 'short' });
    if (!accepted.ok) continue;
    analyses.current.feed(accepted);
    analyses.proposed.feed(accepted);
  }
  parentPort?.postMessage(null);
});

/** One tracker serves one lane, as in the pipeline. */
function begin(): { readonly current: Analysis; readonly proposed: Analysis } {
  return { current: createAnalysis(current), proposed: createAnalysis(proposed) };
}

function collect(): void {
  for (const side of ['current', 'proposed'] as const)
    for (const detection of analyses[side].detections())
      if (detection.rule.id === rule) found[side].set(detection.id, detection);
}
