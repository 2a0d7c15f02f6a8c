import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { catalogue } from '#analytics/detections/catalogue.ts';
import { RULES } from '#analytics/detections/rule-registry.ts';
import { readRule } from '#analytics/detections/user-rules/read-rule.ts';
import { sigmaOf } from '#analytics/detections/user-rules/sigma-export.ts';
import { runCommand } from '../run-command.ts';

async function ruleFile(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'trapline-rules-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const path = join(folder, 'rule.yaml');
  await writeFile(path, text);
  return path;
}

describe('trapline rules test', () => {
  it('passes the examples of the repository', async () => {
    const { code, stdout, stderr } = await runCommand(['rules', 'test', 'examples/rules']);
    expect(stdout.split('\n')).toEqual([
      'user-web-server-crash-addresses: 2 of 2 cases passed',
      'user-ssh-crash-on-bastion: 2 of 2 cases passed',
      '',
    ]);
    expect([code, stderr]).toEqual([0, 'trapline: 4 cases passed, 0 failed\n']);
  });

  it('reads a rule from standard input', async () => {
    const stdin = await readFile('examples/rules/ssh-crash.yaml');
    const { code, stdout } = await runCommand(['rules', 'test', '-'], { stdin });
    expect([code, stdout]).toEqual([0, 'user-ssh-crash-on-bastion: 2 of 2 cases passed\n']);
  });

  it('reports an unsupported feature and a failed case with their lines', async () => {
    const head = 'title: A\nname: a\nlogsource: { product: linux }\ndetection:\n  s: { procname: a }\n';
    const refused = await ruleFile(`${head}  condition: s | count() > 3\n`);
    const failing = await ruleFile(
      `${head}  condition: s\ntests:\n  - { name: other, events: [{ procname: b }], detections: 1 }\n`,
    );
    const { code, stderr } = await runCommand(['rules', 'test', refused, failing]);
    expect(code).toBe(1);
    expect(stderr).toContain(`${refused}:6: detection.condition: aggregations after`);
    expect(stderr).toContain(`${failing}:8: other: 1 detection expected, 0 found`);
  });
});

describe('trapline rules export', () => {
  it('exports every built-in rule as Sigma, and the event selections compile again', async () => {
    const { code, stdout } = await runCommand(['rules', 'export', '--format', 'sigma']);
    expect(code).toBe(0);
    const titles = parseAllDocuments(stdout).map((document) => (document.toJS() as { title: string }).title);
    for (const { name } of RULES) expect(titles).toContain(name);
    for (const rule of catalogue()) {
      const sigma = sigmaOf(rule);
      if (sigma.includes('product: trapline')) continue;
      expect([rule.id, readRule(sigma)]).toMatchObject([rule.id, { ok: true }]);
    }
  });

  it('writes a Navigator layer with the techniques of built-in and user rules', async () => {
    const { stdout } = await runCommand(['rules', 'export', '--format', 'navigator', 'examples/rules']);
    const layer = JSON.parse(stdout) as { domain: string; techniques: { techniqueID: string; comment: string }[] };
    expect(layer.domain).toBe('enterprise-attack');
    const ids = layer.techniques.map(({ techniqueID }) => techniqueID);
    for (const { attack } of RULES) for (const { technique } of attack) expect(ids).toContain(technique);
    expect(JSON.stringify(layer.techniques)).toContain('user-ssh-crash-on-bastion');
  });
});
