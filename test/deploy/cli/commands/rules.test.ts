import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { catalogue } from '#analytics/detections/catalogue.ts';
import { runCommand } from '../run-command.ts';

describe('trapline rules', () => {
  it('prints the catalogue as JSON', async () => {
    const { code, stdout } = await runCommand(['rules', '--output', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(catalogue())));
  });

  it('prints a table with one line per rule', async () => {
    const { stdout } = await runCommand(['rules']);
    for (const { id } of catalogue())
      expect(stdout).toMatch(new RegExp(`^${id} +\\d+ +(info|low|medium|high|critical) `, 'm'));
  });

  it('prints thresholds and runbooks as Markdown', async () => {
    const { stdout } = await runCommand(['rules', '--output', 'markdown']);
    for (const rule of catalogue()) {
      expect(stdout).toContain(`## ${rule.name}`);
      for (const { technique } of rule.attack) expect(stdout).toContain(technique);
      for (const { name } of rule.thresholds) expect(stdout).toContain(`| \`${name}\` |`);
      for (const check of rule.runbook.nextChecks) expect(stdout).toContain(check);
      expect(stdout).toContain(`Base rate: ${rule.statistics.baseRate}`);
      for (const { price } of rule.statistics.evasions) expect(stdout).toContain(price);
    }
    expect(stdout).not.toMatch(/undefined|\[object/);
  });

  it('shows the thresholds of the operator and rejects unknown names', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'trapline-rules-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const environment = { TRAPLINE_RULES_FILE: join(dir, 'rules.json') };
    await writeFile(
      environment.TRAPLINE_RULES_FILE,
      '{"rules":{"stack-canary-probe":{"minAborts":7},"detector-tampering":{"enabled":false}}}',
    );
    expect((await runCommand(['rules'], { environment })).stdout).toContain(' minAborts=7 ');
    const { stdout } = await runCommand(['rules', '--output', 'markdown'], { environment });
    expect(stdout).toContain('| `minAborts` | `7` | `40` |');
    expect(stdout).toMatch(/^`detector-tampering`.*, switched off$/m);

    // Regression: a misspelled threshold was ignored without an error.
    await writeFile(environment.TRAPLINE_RULES_FILE, '{"rules":{"stack-canary-probe":{"minAbort":7}},"exeptions":[]}');
    const refused = await runCommand(['rules'], { environment });
    expect(refused).toMatchObject({ code: 2, stdout: '' });
    expect(refused.stderr).toContain('minAbort');
    expect(refused.stderr).toContain('exeptions');
  });

  it('rejects an unknown output format', async () => {
    expect(await runCommand(['rules', '--output', 'csv'])).toMatchObject({ code: 2, stdout: '' });
  });
});
