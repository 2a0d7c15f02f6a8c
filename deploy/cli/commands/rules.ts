import { type Command, Option } from 'commander';
import { catalogue, type RuleListing } from '#analytics/detections/catalogue.ts';
import type { CommandContext } from '../context.ts';
import { operatorRules } from '../operator-rules.ts';
import { type BacktestStretch, backtestRule } from '../rules/backtest-rule.ts';
import { EXPORT_FORMATS, type ExportFormat, exportRules } from '../rules/export-rules.ts';
import { pushRules } from '../rules/push-rules.ts';
import { testRules } from '../rules/test-rules.ts';

const OUTPUTS = ['table', 'json', 'markdown'] as const;
type Output = (typeof OUTPUTS)[number];

export function registerRules(program: Command, context: CommandContext): void {
  const group = program
    .command('rules')
    .description('list the rules: severity, ATT&CK technique, thresholds, runbook')
    .addOption(new Option('--output <format>', 'output format').choices(OUTPUTS).default('table'))
    .action(async ({ output }: { output: Output }) => {
      const rules = catalogue(await operatorRules(context));
      if (output === 'json') await context.write(`${JSON.stringify(rules, null, 2)}\n`);
      else await context.write(output === 'markdown' ? rulesMarkdown(rules) : rulesTable(rules));
    });

  group
    .command('test')
    .description('check your rules and run the cases in them, offline; exit code 1 when one fails')
    .argument('<path...>', 'a rule file (YAML), a folder of them, or - for standard input')
    .action((paths: string[]) => testRules(paths, context));

  group
    .command('push')
    .description('push your rules to a server as new versions; unchanged rules get no new version')
    .argument('<path...>', 'a rule file (YAML), a folder of them, or - for standard input')
    .action((paths: string[]) => pushRules(paths, context));

  group
    .command('backtest')
    .description('run a rule on the events that a server stores; prints the detections as one JSON object')
    .argument('<file>', 'a rule file (YAML), or - for standard input')
    .option('--from <instant>', 'start of the tested range, RFC 3339 (default: 30 days before --to)')
    .option('--to <instant>', 'end of the tested range, exclusive, RFC 3339 (default: now)')
    .action((file: string, stretch: BacktestStretch) => backtestRule(file, stretch, context));

  group
    .command('export')
    .description(
      'the built-in rules as Sigma or as a layer of the ATT&CK Navigator, or (yaml) the rules pushed to a server',
    )
    .argument('[path...]', 'your rules to add: files, folders, or - for standard input')
    .addOption(new Option('--format <format>', 'what to write').choices(EXPORT_FORMATS).makeOptionMandatory())
    .action((paths: string[], { format }: { format: ExportFormat }) => exportRules(format, paths, context));
}

function rulesTable(rules: readonly RuleListing[]): string {
  const rows = [
    ['ID', 'VERSION', 'SEVERITY', 'ENABLED', 'REGISTERS', 'ATT&CK', 'THRESHOLDS'],
    ...rules.map((rule) => [
      rule.id,
      String(rule.version),
      rule.severity,
      rule.enabled ? 'yes' : 'no',
      rule.registers.join(' ') || '-',
      rule.attack.map(({ technique }) => technique).join(' '),
      rule.thresholds.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).join(' '),
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n\nSummaries and runbooks: trapline rules --output markdown\n`;
}

/** Formats the rules with their ATT&CK techniques, thresholds and runbooks as Markdown. */
export function rulesMarkdown(rules: readonly RuleListing[]): string {
  return `# Rules\n\n${rules.map(ruleMarkdown).join('\n')}`;
}

function ruleMarkdown(rule: RuleListing): string {
  const bullets = (texts: readonly string[]): string => texts.map((text) => `- ${text}\n`).join('');
  const numbered = (texts: readonly string[]): string => texts.map((text, at) => `${at + 1}. ${text}\n`).join('');
  const attack = rule.attack.map(({ tactic, technique, name }) => `${technique} ${name} (${tactic})`);
  const thresholds = rule.thresholds.map(
    ({ name, value, default: shipped, description }) =>
      `| \`${name}\` | \`${JSON.stringify(value)}\` | \`${JSON.stringify(shipped)}\` | ${cell(description)} |\n`,
  );
  const evasions = rule.statistics.evasions.map(({ evasion, price }) => `| ${cell(evasion)} | ${cell(price)} |\n`);
  return [
    `## ${rule.name}\n`,
    `\`${rule.id}\`, version ${rule.version}, severity ${rule.severity}${registersOf(rule)}${rule.enabled ? '' : ', switched off'}\n`,
    `${rule.summary}\n`,
    `### What to check next\n\n${numbered(rule.runbook.nextChecks)}`,
    `### Benign causes\n\n${bullets(rule.runbook.falsePositives)}`,
    `### Known evasions\n\n| evasion | price for the attacker |\n|---|---|\n${evasions.join('')}`,
    `### Expected false alarms\n\n${bullets(falseAlarmsOf(rule))}`,
    `### Thresholds\n\n| name | value | default | meaning |\n|---|---|---|---|\n${thresholds.join('')}`,
    `### ATT&CK\n\n${bullets(attack)}`,
  ].join('\n');
}

function falseAlarmsOf({ statistics }: RuleListing): string[] {
  const { baseRate, falseAlarmsPerMonth, falseAlarmForEach } = statistics;
  return [
    `Base rate: ${baseRate}`,
    `False alarms a month on an ordinary host: ${falseAlarmsPerMonth}${falseAlarmForEach === null ? '' : `, and one for each ${falseAlarmForEach}`}.`,
  ];
}

function registersOf({ registers }: RuleListing): string {
  return registers.length === 0 ? '' : `, register ${registers.map((register) => `\`${register}\``).join(', ')}`;
}

/** A pipe would end the cell. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
