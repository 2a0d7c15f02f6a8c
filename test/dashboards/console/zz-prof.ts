import { writeFile } from 'node:fs/promises';
import { withDocumentedConsole } from './documented-console.ts';
await withDocumentedConsole(async ({ url, signedIn, browser }) => {
  const state = await (await signedIn()).storageState();
  for (let i = 0; i < 3; i++) {
    const c = await browser.newContext({ storageState: state });
    const page = await c.newPage();
    const p = await c.newCDPSession(page);
    await p.send('Performance.enable', { timeDomain: 'threadTicks' });
    if (i === 2) { await p.send('Profiler.enable'); await p.send('Profiler.setSamplingInterval', { interval: 200 }); await p.send('Profiler.start'); }
    await page.goto(`${url}/detections`);
    await page.locator('[role=row][aria-rowindex="2"]').waitFor();
    const { metrics } = await p.send('Performance.getMetrics');
    console.log(metrics.filter(({ name }) => /Duration|Count|Nodes/.test(name)).map(({ name, value }) => `${name} ${value.toFixed(3)}`).join(' | '));
    console.log(JSON.stringify(await page.evaluate(`performance.getEntriesByType('resource').map(r => [r.name.split('/').pop().slice(0,40), Math.round(r.startTime), Math.round(r.responseEnd), r.encodedBodySize])`)));
    if (i === 2) await writeFile('/tmp/h/prof.cpuprofile', JSON.stringify((await p.send('Profiler.stop')).profile));
    await c.close();
  }
});
