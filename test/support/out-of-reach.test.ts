import { expect, test } from 'vitest';
import { useChromium } from './chromium.ts';
import { outOfReach } from './out-of-reach.ts';

const chromium = useChromium();

async function lookAt(body: string): Promise<string[]> {
  const { page, context } = await chromium.open({ phone: true });
  await page.setContent(`<body style="margin: 0">${body}</body>`);
  const found = await outOfReach(page);
  await context.close();
  return found;
}

test('content that can be scrolled to is reachable', async () => {
  const table = `<div style="overflow: auto"><div style="width: 900px; text-align: right"><button>Far right</button></div></div>`;
  const below = '<div style="height: 3000px"></div><a href="#top">Far below</a>';
  const hidden = '<a href="#main" style="position: absolute; left: -9999px">Skip</a><button hidden>Not there</button>';
  expect(await lookAt(table + below + hidden)).toEqual([]);
});

test('reports a page wider than its window, and unreachable controls', async () => {
  expect(await lookAt('<div style="width: 900px">wide</div>')).toEqual([expect.stringContaining('900 wide')]);
  const clipped = `<div style="overflow: clip; width: 300px"><button style="margin-left: 500px">Clipped</button></div>`;
  expect(await lookAt(clipped)).toEqual([expect.stringMatching(/outside of the window: Clipped/)]);
  const covered = `<button>Covered</button><div style="position: fixed; inset: 0">in front</div>`;
  expect(await lookAt(covered)).toEqual([expect.stringMatching(/in front.*: Covered/)]);
});
