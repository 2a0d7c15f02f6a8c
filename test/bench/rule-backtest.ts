import { readFile } from 'node:fs/promises';
import { findRuleEvents } from '#analytics/clickhouse/read-models/user-rule-events.ts';
import { runUserRule } from '#analytics/detections/backtest/run-user-rule.ts';
import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import type { BenchContext } from './context.ts';
import { withFreshDatabase } from './fresh-database.ts';
import { GENERATED_DAYS, generateEvents } from './generated-events.ts';
import { type BenchRow, boundRow } from './row.ts';
import { median, percentile } from './statistics.ts';
import { untilMerged } from './until-merged.ts';

const ROUNDS = 5;
const MAX_MS = 10_000;
const NOTES = 'logsource: { product: linux, service: kernel }\n';

/** Rules for rare and frequent events, with and without a count. */
const RULES: Readonly<Record<string, string>> = {
  'a rare program': `title: r\nname: r\n${NOTES}detection: { s: { procname: unheard-of }, condition: s }\n`,
  'an expression over names': `title: r\nname: r\n${NOTES}detection: { s: { procname|re: '^(mail|dns)-[a-z]+-1[0-9]{2}$', hostname|endswith: '-0999.fra1.example.net' }, condition: s }\n`,
  'a count of frequent crashes': `title: b\nname: b\n${NOTES}detection: { s: { procname|startswith: nginx-worker, trap: Segfault }, condition: s }\n---\ntitle: r\nname: r\ncorrelation: { type: event_count, rules: b, group-by: [hostname, procname], timespan: 1h, condition: { gte: 50 } }\n`,
};

/** Measures back-tests of user rules over stored events, from the query to the detections. */
export async function benchRuleBacktest({ clickHouse, stored, progress }: BenchContext): Promise<BenchRow[]> {
  const example = await readFile(new URL('../../examples/rules/many-crash-addresses.yaml', import.meta.url), 'utf8');
  return withFreshDatabase(clickHouse, async (clickhouse) => {
    // These rules read neither the text of events nor freshly landed blocks, so the store has neither.
    await generateEvents(clickhouse, stored, progress, { texts: 'none', asLanded: false });
    progress(`events are merged: ${await untilMerged(clickhouse)}`);
    const to = { seconds: Math.ceil(Date.now() / 1_000), nanos: 0 };
    const stretch = {
      from: { seconds: to.seconds - (GENERATED_DAYS + 1) * 86_400, nanos: 0 },
      to,
      maxEvents: 1_000_000,
      maxSeconds: 60,
    };
    const details: string[] = [];
    let worst = 0;
    for (const [name, source] of Object.entries({ ...RULES, 'a count of distinct addresses': example })) {
      const read = readRule(source);
      if (!read.ok) throw new Error(`${name}: ${read.refusal.message}`);
      const took: number[] = [];
      let outcome = '';
      for (let round = 0; round < ROUNDS; round += 1) {
        const begun = performance.now();
        const found = await findRuleEvents(clickhouse, read.rule, stretch);
        const { detections } = await runUserRule({ source, exceptions: [], columns: found.columns }, found.rows(), {
          maxMs: 60_000,
        });
        took.push(performance.now() - begun);
        outcome = `${found.candidates} judged, ${detections.length} detections`;
      }
      const p95 = percentile(took, 0.95);
      worst = Math.max(worst, p95);
      details.push(`${name}: p95 ${p95.toFixed(0)} ms, median ${median(took).toFixed(0)}; ${outcome}`);
    }
    const row = boundRow(
      `rule-backtest: user rules over ${stored.toLocaleString('en-US')} events`,
      'ms p95',
      worst,
      MAX_MS,
    );
    return [{ ...row, details }];
  });
}
