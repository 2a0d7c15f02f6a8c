import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { browserProgram } from './install-programs.mjs';
import { temporaryFolder } from './services/temporary-folder.ts';

test('uses a headless browser if it exists, else another one', async () => {
  await temporaryFolder('browsers', async (folder) => {
    expect(browserProgram(folder)).toBeUndefined();
    for (const name of ['google-chrome', 'chromium', 'chromium-headless-shell']) {
      await writeFile(join(folder, name), '#!/bin/sh\n', { mode: 0o755 });
      expect(browserProgram(folder)).toBe(join(folder, name));
    }
  });
});
