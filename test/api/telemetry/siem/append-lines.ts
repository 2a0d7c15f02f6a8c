// A process that appends numbered lines to a SIEM file: `append-lines.ts PATH NAME COUNT ROTATIONS`. It does not end
// before the file was rotated this many times.
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { openSiemFile } from '#api/telemetry/siem/siem-file.ts';

const [path = '', name = '', count = '0', rotations = '0'] = process.argv.slice(2);
const portion = Math.ceil(Number(count) / (Number(rotations) + 1));
const file = await openSiemFile(
  {
    onFailure(error) {
      throw error;
    },
  },
  { path, maxWaitingBytes: 2 ** 30, rotationCheckMs: 20, closeMs: 60_000 },
);
for (let i = 0; i < Number(count); i++) {
  // Lengths from a few bytes to more than a page, so that a line that is not written atomically would show.
  file.append(JSON.stringify({ name, i, pad: name.repeat((i * 37) % 6_000) }));
  if (i % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
  if ((i + 1) % portion === 0 && i + 1 < Number(count))
    while (!existsSync(`${path}.${(i + 1) / portion}`)) await pause(5);
}
await file.close();
