// A process that appends numbered lines to a SIEM file: `append-lines.ts PATH NAME COUNT`.
import { openSiemFile } from '#api/siem/siem-file.ts';

const [path = '', name = '', count = '0'] = process.argv.slice(2);
const file = await openSiemFile(
  {
    onFailure(error) {
      throw error;
    },
  },
  { path, maxWaitingBytes: 2 ** 30, rotationCheckMs: 20, closeMs: 60_000 },
);
for (let i = 0; i < Number(count); i++) {
  // Lengths from some bytes to more than a page, so that a line that is not written at once would show.
  file.append(JSON.stringify({ name, i, pad: name.repeat((i * 37) % 6_000) }));
  if (i % 100 === 99) await new Promise((resolve) => setImmediate(resolve));
}
await file.close();
