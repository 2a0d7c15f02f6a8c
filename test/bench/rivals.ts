import { fileURLToPath } from 'node:url';
import { DEFAULT_DETECTION_SETTINGS } from '#analytics/detections/settings.ts';
import { type CorpusEntry, readCorpus } from '#deploy/cli/corpus/corpus.ts';
import { judge, type Verdict } from '#deploy/cli/corpus/judge.ts';
import { type Score, score } from '#deploy/cli/corpus/score.ts';
import { watchCapture } from '#deploy/cli/corpus/watch-capture.ts';
import { textTable } from '#deploy/cli/executions/text-table.ts';
import { elasticOverflow, elasticSegfault } from './rivals/elastic.ts';
import { judgeRival } from './rivals/judge-rival.ts';
import { readRivalCapture } from './rivals/read-rival-capture.ts';
import type { Rival } from './rivals/rival.ts';
import { sigmaOverflow } from './rivals/sigma.ts';
import { wazuhThreshold } from './rivals/wazuh.ts';
import { zerotect } from './rivals/zerotect.ts';
import { type BenchRow, ratioRow } from './row.ts';

const RIVALS: readonly Rival[] = [zerotect, elasticSegfault, elasticOverflow, sigmaOverflow, wazuhThreshold];
const CORPORA = ['kmsg', 'kmsg-varied', 'kmsg-lab', 'kmsg-unseen'].map((name) =>
  fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url)),
);
const TITLES = 'DETECTOR|FOUND|RECALL|FALSE ALARMS|PRECISION|BENIGN WITH ALERTS|SECONDS|CRASHES|ALERTS AN ATTACK'.split(
  '|',
);

interface Result {
  readonly name: string;
  readonly total: Score;
  /** Number of benign captures with an alert of any rule, including rules that do not claim a probe. */
  readonly benignWithAlerts: number;
}

/** Compares the product with the published rules of other detectors on our captures. */
export async function benchRivals(): Promise<BenchRow[]> {
  const entries = (await Promise.all(CORPORA.map(readCorpus))).flatMap((corpus) => corpus.entries);
  const ours = resultOf('Trapline', entries.map(judgeOurs));
  const theirs = RIVALS.map((rival) =>
    resultOf(
      rival.name,
      entries.map(({ file, truth }) => judgeRival(rival, truth, readRivalCapture(file))),
    ),
  );
  const best = (of: (total: Score) => number) => Math.max(...theirs.map(({ total }) => of(total)));
  return [
    {
      ...ratioRow('attacks found, against the best rival', '%', recallOf(ours.total), best(recallOf), 1),
      details: tableLines([...theirs, ours]),
    },
    ratioRow('F1 of captures, against the best rival', '%', f1Of(ours.total), best(f1Of), 1),
  ];
}

function judgeOurs({ file, truth }: CorpusEntry): Verdict {
  const watch = watchCapture(truth, DEFAULT_DETECTION_SETTINGS);
  for (const accepted of readRivalCapture(file).accepted) watch.feed(accepted);
  return judge(truth, watch.alerts());
}

function resultOf(name: string, verdicts: readonly Verdict[]): Result {
  const benignWithAlerts = verdicts.filter(({ kind, alerts }) => kind === 'benign' && alerts.length > 0).length;
  return { name, total: score(verdicts), benignWithAlerts };
}

function recallOf({ recall }: Score): number {
  return (recall ?? 0) * 100;
}

/** Harmonic mean of precision and recall. */
function f1Of({ precision, recall }: Score): number {
  const sum = (precision ?? 0) + (recall ?? 0);
  return sum === 0 ? 0 : (200 * (precision ?? 0) * (recall ?? 0)) / sum;
}

function tableLines(results: readonly Result[]): string[] {
  const rows = results.map(({ name, total, benignWithAlerts }) => [
    name,
    `${total.found} of ${total.attacks}`,
    percent(total.recall),
    `${total.falselyAlarmed} of ${total.attacks + total.benign}`,
    percent(total.precision),
    `${benignWithAlerts} of ${total.benign}`,
    figure(total.medianSecondsToAlert),
    figure(total.medianCrashesToAlert),
    figure(total.alertsPerAttack),
  ]);
  return textTable(TITLES, rows).trimEnd().split('\n');
}

function percent(share: number | null): string {
  return share === null ? '-' : `${(share * 100).toFixed(1)} %`;
}

function figure(value: number | null): string {
  return value === null ? '-' : value.toLocaleString('en-US', { maximumFractionDigits: 1 });
}
