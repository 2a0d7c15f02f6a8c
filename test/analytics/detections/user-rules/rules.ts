import { expect } from 'vitest';
import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import type { UserRule } from '#analytics/detections/user-rules/user-rule.ts';

/** Returns a rule file with these lines under `detection`, indented by one level. */
export function single(detection: string, more = ''): string {
  return `title: A rule
name: a_rule
logsource:
  product: linux
  service: kernel
detection:
${detection
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
${more}`;
}

/**
 * Returns a rule file with the selections `nginx` (crashes of nginx) and `settings` (changed settings), and a
 * correlation with these lines.
 */
export function correlated(correlation: string, rules = ['nginx']): string {
  const documents: Readonly<Record<string, string>> = {
    nginx: `title: nginx
name: nginx
logsource: { product: linux, category: kernel_trap }
detection:
  selection: { procname: nginx }
  condition: selection
`,
    settings: `title: settings
name: settings
logsource: { product: linux, category: config_mismatch }
detection:
  selection: { key|startswith: kernel. }
  condition: selection
`,
  };
  const last = `title: Together
name: together
level: high
tags: [attack.execution, attack.t1203]
correlation:
${correlation
  .split('\n')
  .map((line) => `  ${line}`)
  .join('\n')}
`;
  return [...rules.map((name) => documents[name]), last].join('---\n');
}

export function accepted(source: string): UserRule {
  const read = readRule(source);
  if (!read.ok) expect.fail(JSON.stringify(read.refusal));
  return read.rule;
}

/** Returns line and message of the rejection. */
export function refusal(source: string): string {
  const read = readRule(source);
  if (read.ok) expect.fail('the rule was not refused');
  return `${read.refusal.line} ${read.refusal.path}: ${read.refusal.message}`;
}
