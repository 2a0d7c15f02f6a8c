import { expect, test } from 'vitest';
import { useChromium } from '#test/support/chromium.ts';
import { useConsoleServer } from '#test/support/console-server.ts';

const server = await useConsoleServer();
const chromium = useChromium();

test('the page opens by its link, by its keys and by its address', async () => {
  const watched = await chromium.open();
  const { page, problems } = watched;
  await server.visit(watched, 'analyst', '/keys');
  await page.getByRole('link', { name: 'About' }).click();
  await page.getByText(/^You are signed in to Trapline as person_/).waitFor();
  expect(await watched.inaccessible()).toEqual([]);
  await page.goto(`${server.url}/keys`);
  await page.getByRole('heading', { name: 'Keys and usage' }).waitFor();
  await page.keyboard.press('g');
  await page.keyboard.press('b');
  await page.getByRole('heading', { name: 'About' }).waitFor();
  await page.goto(`${server.url}/about`);
  await page.getByRole('heading', { name: 'About' }).waitFor();
  expect(problems).toEqual([]);
});
