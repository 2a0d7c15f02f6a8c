import { expect, test } from 'vitest';
import { commandsPage } from '#docs/generators/commands.ts';
import { configurationPage } from '#docs/generators/configuration.ts';
import { errorsPage } from '#docs/generators/errors.ts';
import { eventsPage } from '#docs/generators/events.ts';
import { rulesPage } from '#docs/generators/rules.ts';
import { tablesPage } from '#docs/generators/tables.ts';

/** Each page with the sources that it is made from. With -u the pages are written again. */
test.each([
  ['configuration', configurationPage],
  ['commands', commandsPage],
  ['errors', errorsPage],
  ['events', eventsPage],
  ['rules', rulesPage],
  ['tables', tablesPage],
])('docs/reference/%s.md is current', async (name, page) => {
  await expect(await page()).toMatchFileSnapshot(`../../docs/reference/${name}.md`);
});
