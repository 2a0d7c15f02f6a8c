import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ALERTS, RULE_GROUPS } from '#dashboards/grafana/alerts/all-rules.ts';
import { errorBudget } from '#dashboards/grafana/alerts/error-budget.ts';
import { type Alert, type RuleGroup, ruleFile } from '#dashboards/grafana/alerts/rule.ts';
import { timeliness } from '#dashboards/grafana/alerts/timeliness.ts';
import { prometheusPath } from '#test/support/services/prometheus.ts';
import { temporaryFolder } from '#test/support/services/temporary-folder.ts';
import { CASES, type Series } from './alert-cases.ts';

/**
 * promtool is a Go program that ends within seconds. It collects garbage only when it would exceed this memory limit.
 */
const ENVIRONMENT = { ...process.env, GOGC: 'off', GOMEMLIMIT: '1GiB' };
const RUNBOOKS = 'https://runbooks.example.org/';

/**
 * Runs promtool over these rule groups and their tests, if any, and evaluates the rules at the interval `every`.
 * Resolves to its output; rejects with its output when promtool fails.
 */
async function promtool(groups: readonly RuleGroup[], tests?: object[], every = '1m'): Promise<string> {
  return temporaryFolder('promtool', async (folder) => {
    await writeFile(join(folder, 'rules.yml'), stringify(ruleFile(groups, RUNBOOKS)));
    const file = { rule_files: ['rules.yml'], evaluation_interval: every, tests };
    await writeFile(join(folder, 'tests.yml'), JSON.stringify(file));
    const args = tests === undefined ? ['check', 'rules', 'rules.yml'] : ['test', 'rules', 'tests.yml'];
    const run = promisify(execFile)(prometheusPath('promtool'), args, { cwd: folder, env: ENVIRONMENT });
    const { stdout } = await run.catch((error: { stdout: string; stderr: string }) => {
      throw new Error(`${error.stdout}\n${error.stderr}`);
    });
    return stdout;
  });
}

/**
 * Returns the rule groups that an alert needs: its own group, and for budget alerts the group of the ratios. Evaluating
 * all groups takes much longer.
 */
const groupsOf = ({ alert }: Alert): readonly RuleGroup[] => {
  const own = RULE_GROUPS.find(({ rules }) => rules.some((rule) => 'alert' in rule && rule.alert === alert));
  if (own === undefined) throw new Error(alert);
  return [errorBudget, timeliness].find((groups) => groups.includes(own)) ?? [own];
};

const input = (series: Series) => Object.entries(series).map(([name, values]) => ({ series: name, values }));

test('promtool accepts the alert rules', async () => {
  expect(await promtool(RULE_GROUPS)).toContain(`${RULE_GROUPS.flatMap(({ rules }) => rules).length} rules found`);
});

test('every alert has cases in which it fires and in which it does not', () => {
  expect(Object.keys(CASES).sort()).toEqual(ALERTS.map(({ alert }) => alert).sort());
  for (const { quiet } of Object.values(CASES)) expect(quiet.length).toBeGreaterThan(0);
});

/** Returns the promtool tests of an alert: it fires on its own series and does not fire on similar ones. */
function casesOf(alert: Alert): object[] {
  const { fires, quiet } = CASES[alert.alert] ?? expect.fail();
  const firing = {
    exp_labels: { ...fires.labels, severity: alert.urgency },
    exp_annotations: {
      summary: fires.summary,
      description: alert.description,
      runbook_url: `${RUNBOOKS}${alert.alert}.md`,
    },
  };
  const look = (name: string, series: Series, at: string, expected: object[]) => ({
    name,
    interval: '1m',
    input_series: input(series),
    alert_rule_test: [{ eval_time: at, alertname: alert.alert, exp_alerts: expected }],
  });
  return [
    look('fires', fires.series, fires.at, [firing]),
    ...quiet.map(({ why, series, at }) => look(`quiet: ${why}`, series, at, [])),
  ];
}

/**
 * Returns the evaluation interval: five minutes if all times of the alert are multiples of five minutes, else one
 * minute. Some tests cover six hours.
 */
function intervalOf({ alert, for: held }: Alert): '1m' | '5m' {
  const { fires, quiet } = CASES[alert] ?? expect.fail();
  const rare = (at: string) => /^(?:\d+h)?(?:\d*[05]m)?$/.test(at);
  return [fires.at, held, ...quiet.map(({ at }) => at)].every(rare) ? '5m' : '1m';
}

/** Output of promtool by alert. One process runs all tests, because starting promtool takes most of the time. */
const verdicts = temporaryFolder('promtool', async (folder) => {
  for (const alert of ALERTS) {
    const rules = `${alert.alert}.rules.yml`;
    await writeFile(join(folder, rules), stringify(ruleFile(groupsOf(alert), RUNBOOKS)));
    const file = { rule_files: [rules], evaluation_interval: intervalOf(alert), tests: casesOf(alert) };
    await writeFile(join(folder, `${alert.alert}.tests.yml`), JSON.stringify(file));
  }
  const args = ['test', 'rules', ...ALERTS.map(({ alert }) => `${alert}.tests.yml`)];
  const { stdout, stderr } = await promisify(execFile)(prometheusPath('promtool'), args, {
    cwd: folder,
    env: ENVIRONMENT,
  }).catch((error: { stdout: string; stderr: string }) => error);
  const parts = stdout.split(/^.*Unit Testing: +/m);
  return { complaints: stderr, of: new Map(parts.map((part) => [/^(\w+)\.tests\.yml/.exec(part)?.[1], part])) };
});

test.each(ALERTS)('$alert fires only when it should, with the problem and the remedy', async ({ alert }) => {
  const { complaints, of } = await verdicts;
  expect(of.get(alert), complaints).toMatch(/^\w+\.tests\.yml\s+SUCCESS\s*$/);
});

const count = (status: number, route: string) =>
  `trapline_http_request_duration_seconds_count{job="j", method="GET", route="${route}", status="${status}"}`;

test('the recorded failure ratio is 0 without failures and covers only the counted routes', async () => {
  const series = {
    [count(200, '/api/events')]: '0+30x20',
    [count(500, '/api/events')]: '0x10 0+10x10',
    [count(503, '/readyz')]: '0+100x20',
  };
  const look = (at: string, value: number) => ({
    expr: 'job:trapline_http_errors:ratio_rate5m',
    eval_time: at,
    exp_samples: [{ labels: 'job:trapline_http_errors:ratio_rate5m{job="j"}', value }],
  });
  const none = { [count(200, '/api/events')]: '0+30x20' };
  await promtool(errorBudget, [
    { interval: '1m', input_series: input(none), promql_expr_test: [look('8m', 0)] },
    { interval: '1m', input_series: input(series), promql_expr_test: [look('8m', 0), look('20m', 0.25)] },
  ]);
});

test('each time range has the failure ratio within it', async () => {
  /** Periods in minutes, the oldest first, with the number of failed requests in each hundred. */
  const days = [
    { minutes: 48 * 60, failed: 0 },
    { minutes: 18 * 60, failed: 30 },
    { minutes: 4 * 60, failed: 0 },
    { minutes: 60, failed: 10 },
    { minutes: 30, failed: 20 },
    { minutes: 25, failed: 40 },
    { minutes: 5, failed: 80 },
  ];
  const counted = (ofMinute: (failed: number) => number) => {
    let counter = 0;
    return days.reduce((samples, { minutes, failed }) => {
      const more = ofMinute(failed);
      const first = counter + more;
      counter += more * minutes;
      return `${samples} ${first}+${more}x${minutes - 1}`;
    }, '0');
  };
  const series = {
    [count(200, '/api/events')]: counted((failed) => 100 - failed),
    [count(500, '/api/events')]: counted((failed) => failed),
  };
  const shares = { '5m': 0.8, '30m': 0.47, '1h': 0.33, '2h': 0.22, '6h': 0.07, '1d': 0.24, '3d': 0.08 };
  const looks = Object.entries(shares).map(([span, value]) => ({
    expr: `round(job:trapline_http_errors:ratio_rate${span}, 0.01)`,
    eval_time: '72h',
    exp_samples: [{ labels: '{job="j"}', value }],
  }));
  const recorded = errorBudget.flatMap(({ rules }) => rules.flatMap((rule) => ('record' in rule ? rule.record : [])));
  expect(Object.keys(shares).map((span) => `job:trapline_http_errors:ratio_rate${span}`)).toEqual(recorded);
  await promtool(errorBudget, [{ interval: '1m', input_series: input(series), promql_expr_test: looks }], '1h');
});
