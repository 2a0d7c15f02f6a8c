import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { ALERTS } from '#dashboards/grafana/alerts/all-rules.ts';
import { BOARDS } from '#dashboards/grafana/boards/all-boards.ts';
import { generatedFiles } from '#dashboards/grafana/generated-files.ts';
import { PANEL_QUERIES } from './panel-queries.ts';

const GRAFANA = fileURLToPath(new URL('../../../dashboards/grafana', import.meta.url));

test('generated/ matches the code: otherwise run node dashboards/grafana/generate.ts', async () => {
  const folder = join(GRAFANA, 'generated');
  const files = generatedFiles();
  const found = (await readdir(folder, { recursive: true })).filter((name) => name.includes('.')).sort();
  expect(found).toEqual([...files.keys()].sort());
  for (const [name, text] of files) expect(await readFile(join(folder, name), 'utf8'), name).toBe(text);
});

test('each alert has a runbook with commands, and each runbook has an alert', async () => {
  const names = ALERTS.map(({ alert }) => `${alert}.md`).sort();
  expect((await readdir(join(GRAFANA, 'runbooks'))).sort()).toEqual(names);
  for (const { alert } of ALERTS) {
    const text = await readFile(join(GRAFANA, 'runbooks', `${alert}.md`), 'utf8');
    expect(text, alert).toMatch(new RegExp(`^# ${alert}\n`));
    for (const part of ['## What it means', '## What to do', '## When it is over'])
      expect(text, alert).toContain(`\n${part}\n`);
    expect(text, alert).toMatch(/^\s*(npx trapline|curl) /m);
  }
});

test('each quoted text of a runbook is the name of a dashboard or panel', async () => {
  const known = new Set(
    Object.values(BOARDS).flatMap(({ title = '', panels = [] }) => [
      title.replace('Trapline / ', ''),
      ...panels.map((panel) => panel.title),
    ]),
  );
  for (const name of await readdir(join(GRAFANA, 'runbooks'))) {
    const text = await readFile(join(GRAFANA, 'runbooks', name), 'utf8');
    for (const [, quoted = ''] of text.matchAll(/“([^”]*)”/g)) expect(known, name).toContain(quoted);
  }
});

test('runbooks can be at another address', () => {
  const rules = generatedFiles('https://runbooks.example.org/').get('trapline.rules.yml') ?? '';
  expect(rules.match(/runbook_url: https:\/\/runbooks\.example\.org\/Trapline\w+\.md/g)).toHaveLength(ALERTS.length);
});

test('every panel has a query, so that the query tests cover all panels', () => {
  for (const { title, panels = [] } of Object.values(BOARDS))
    for (const panel of panels.filter(({ type }) => type !== 'row')) {
      const asked = PANEL_QUERIES.filter(({ name }) => name.startsWith(`${title} / ${panel.title} / `));
      expect(asked.length, `${title} / ${panel.title}`).toBe('targets' in panel ? panel.targets?.length : 0);
      expect(asked.length, `${title} / ${panel.title}`).toBeGreaterThan(0);
      for (const { text } of asked) expect(text, `${title} / ${panel.title}`).not.toBe('');
    }
});

test('draws limits at their configured values', () => {
  const limited = Object.values(BOARDS).flatMap(({ panels = [] }) =>
    panels.flatMap((panel) => {
      if (panel.type !== 'timeseries' || !('fieldConfig' in panel)) return [];
      const { thresholds, custom } = panel.fieldConfig?.defaults ?? {};
      return (thresholds?.steps.length ?? 0) > 1 ? [{ title: panel.title, drawn: custom?.thresholdsStyle?.mode }] : [];
    }),
  );
  expect(limited.length).toBeGreaterThan(0);
  for (const { title, drawn } of limited) expect(drawn, title).toBe('dashed');
});

test('dashboards and panels keep the identifiers that links use', () => {
  const boards = Object.values(BOARDS);
  expect(new Set(boards.map(({ uid }) => uid)).size).toBe(boards.length);
  for (const { panels = [], title } of boards) {
    const ids = panels.map(({ id }) => id);
    expect(new Set(ids).size, title).toBe(panels.length);
    const titles = panels.filter(({ type }) => type !== 'row').map((panel) => panel.title);
    expect(new Set(titles).size, title).toBe(titles.length);
  }
});
