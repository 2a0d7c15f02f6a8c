import { expect, test } from 'vitest';
import { dialogSites, dialogsIn } from './dialog-sites.ts';
import { dialogsOf, OPENED_ELSEWHERE } from './dialogs.ts';

const SUBJECTS = {
  detection: 'det_1',
  event: '1',
  letter: '1',
  output: 'out_1',
  execution: 'exec_1',
  run: 'exec_2',
  user: '1',
  case: 'case_1',
  refusingOutput: 'out_2',
  waitingRun: 'exec_3',
  otherUser: '2',
};
const opened = [...dialogsOf(SUBJECTS).map(({ site }) => site), ...Object.keys(OPENED_ELSEWHERE)];
const timesIn = (list: readonly string[], site: string) => list.filter((one) => one === site).length;

test('every dialog in the source of the console is visited by the dialog tests', async () => {
  const sites = await dialogSites();
  expect(sites.length).toBeGreaterThan(50);
  expect(sites.filter((site) => timesIn(opened, site) < timesIn(sites, site))).toEqual([]);
  expect(opened.filter((site) => !sites.includes(site))).toEqual([]);
});

test('identifies a dialog by its file and title names, and counts a confirmation separately', () => {
  const source = `
    const a = <Modal opened title={edits ? TEXT.editTitle(name) : TEXT.create} />;
    const b = <DetailsDialog title={TEXT.removal.title} action={{ text: 'x', question: TEXT.removal.question }}>x</DetailsDialog>;
    const c = <Drawer title={name} />;
    const d = <Menu title={TEXT.title} />;`;
  expect(dialogsIn('pages/x.tsx', source)).toEqual([
    'pages/x.tsx editTitle|create',
    'pages/x.tsx removal.title',
    'pages/x.tsx question',
    'pages/x.tsx',
  ]);
});
