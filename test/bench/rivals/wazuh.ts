import type { Rival, RivalAlert } from './rival.ts';

/** Frequency, timeframe and pause of Wazuh's own threshold rules, such as rule 5712 for logins. */
const FREQUENCY = 8;
const TIMEFRAME_SECONDS = 120;
const IGNORE_SECONDS = 60;

/**
 * Wazuh's rule 1010 reports each segmentation fault. This is a threshold rule over rule 1010, as an operator would
 * write it after the example of rule 5712.
 */
export const wazuhThreshold: Rival = {
  name: 'Wazuh: threshold over rule 1010',
  url: 'https://github.com/wazuh/wazuh-ruleset/blob/master/rules/0020-syslog_rules.xml',
  alerts({ lines }) {
    const alerts: RivalAlert[] = [];
    let recent: number[] = [];
    let quietUntil = Number.NEGATIVE_INFINITY;
    for (const { at, text } of lines) {
      if (!text.includes('segfault at ')) continue;
      recent = [...recent.filter((before) => before > at - TIMEFRAME_SECONDS), at].slice(-FREQUENCY);
      if (recent.length < FREQUENCY || at < quietUntil) continue;
      alerts.push({ at, procname: null });
      quietUntil = at + IGNORE_SECONDS;
    }
    return alerts;
  },
};
