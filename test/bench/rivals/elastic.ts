import type { Rival, RivalAlert, RivalCapture } from './rival.ts';

/** Both rules run every five minutes over the last nine minutes. */
const EVERY_SECONDS = 300;
const LOOK_BACK_SECONDS = 540;
/** Maximum number of alerts of a run. Further alerts are dropped. */
const MAX_ALERTS_PER_RUN = 100;
const THRESHOLD = 100;

/**
 * Elastic's query rule: every kernel message with the word `segfault`. It is a building block rule, whose alerts Kibana
 * hides by default.
 */
export const elasticSegfault: Rival = {
  name: 'Elastic: Segfault Detected',
  url: 'https://github.com/elastic/detection-rules/blob/main/rules_building_block/execution_linux_segfault.toml',
  alerts: segfaultAlerts,
};

/** Elastic's threshold rule: at least 100 alerts of the query rule for one host within the last nine minutes. */
export const elasticOverflow: Rival = {
  name: 'Elastic: Potential Buffer Overflow Attack',
  url: 'https://github.com/elastic/detection-rules/blob/main/rules/linux/privilege_escalation_potential_bufferoverflow_attack.toml',
  alerts(capture) {
    let waiting = segfaultAlerts(capture).map(({ at }) => at);
    const alerts: RivalAlert[] = [];
    for (const run of new Set(waiting)) {
      const seen = waiting.filter((at) => at > run - LOOK_BACK_SECONDS && at <= run);
      if (seen.length < THRESHOLD) continue;
      alerts.push({ at: run, procname: null });
      // An alert uses up its documents: they do not count for the next alert.
      waiting = waiting.filter((at) => at > run);
    }
    return alerts;
  },
};

/** Returns the alerts of the query rule, with the time of the run that created each. */
function segfaultAlerts({ lines }: RivalCapture): RivalAlert[] {
  const start = lines[0]?.at ?? 0;
  const end = lines.at(-1)?.at ?? 0;
  let waiting = lines.filter(({ text }) => /\bsegfault\b/i.test(text)).map(({ at }) => at);
  const alerts: RivalAlert[] = [];
  for (let run = start + EVERY_SECONDS; waiting.length > 0 && run <= end + LOOK_BACK_SECONDS; run += EVERY_SECONDS) {
    const seen = waiting.filter((at) => at > run - LOOK_BACK_SECONDS && at <= run).slice(0, MAX_ALERTS_PER_RUN);
    for (const _ of seen) alerts.push({ at: run, procname: null });
    const reported = new Set(seen);
    waiting = waiting.filter((at) => !reported.has(at) && at > run - LOOK_BACK_SECONDS);
  }
  return alerts;
}
