import { describe, expect, it } from 'vitest';
import { catalogue } from '#analytics/detections/catalogue.ts';
import { RULE_IDS } from '#schemas/detection.ts';
import { runCommand } from '../run-command.ts';

describe('trapline rules', () => {
  it('prints the catalogue as JSON', async () => {
    const { code, stdout } = await runCommand(['rules', '--output', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(catalogue())));
  });

  it('prints a line a rule as a table', async () => {
    const { stdout } = await runCommand(['rules']);
    for (const id of RULE_IDS) expect(stdout).toMatch(new RegExp(`^${id} +1 +(info|low|medium|high|critical) `, 'm'));
  });

  it('prints thresholds and runbooks as Markdown', async () => {
    const { stdout } = await runCommand(['rules', '--output', 'markdown']);
    for (const rule of catalogue()) {
      expect(stdout).toContain(`## ${rule.name}`);
      for (const { technique } of rule.attack) expect(stdout).toContain(technique);
      for (const { name } of rule.thresholds) expect(stdout).toContain(`| \`${name}\` |`);
      for (const check of rule.runbook.nextChecks) expect(stdout).toContain(check);
    }
    expect(stdout).not.toMatch(/undefined|\[object/);
  });

  it('refuses another form', async () => {
    expect(await runCommand(['rules', '--output', 'csv'])).toMatchObject({ code: 2, stdout: '' });
  });
});
