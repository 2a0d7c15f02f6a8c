import { setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import type { Detection } from '#schemas/detection.ts';
import { readEvent } from '#schemas/events/read-event.ts';
import { type Analysis, createAnalysis } from '../analyze.ts';
import type { DetectionSettings } from '../settings.ts';

/** Start parameters of the worker thread. */
export interface BacktestTask {
  readonly rule: string;
  readonly current: DetectionSettings;
  readonly proposed: DetectionSettings;
}

/** Events in order, lane by lane. Null marks the end of the input. */
export type BacktestPortion = readonly { readonly lane: string; readonly raw: string }[] | null;

/** Result: detections of the rule under each of the two settings. */
export interface BacktestFound {
  readonly current: readonly Detection[];
  readonly proposed: readonly Detection[];
}

/** Reply to each portion: null, or the result as the reply to the last one. */
export type BacktestAnswer = BacktestFound | null;

// On Linux, a priority belongs to a thread, and 0 is the calling thread. On a busy machine, threads that answer
// requests then run first.
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
    // Accepts every signal dialect: the pipeline has already validated stored events.
    const accepted = readEvent(raw, { signalDialect: 'short' });
    if (!accepted.ok) continue;
    analyses.current.feed(accepted);
    analyses.proposed.feed(accepted);
  }
  parentPort?.postMessage(null);
});

/** Creates one analysis per lane, as the pipeline does with its trackers. */
function begin(): { readonly current: Analysis; readonly proposed: Analysis } {
  return { current: createAnalysis(current), proposed: createAnalysis(proposed) };
}

function collect(): void {
  for (const side of ['current', 'proposed'] as const)
    for (const detection of analyses[side].detections())
      if (detection.rule.id === rule) found[side].set(detection.id, detection);
}
