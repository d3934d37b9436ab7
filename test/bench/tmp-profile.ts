import { openStubApp } from '../support/stub-main/stub-app.ts';
import { settled } from '../support/stub-main/show-scene.ts';
import { firstStart } from '../support/stub-main/states.ts';
import { lists } from './list-figures.ts';
const which = Number(process.argv[2] ?? 0);
const list = lists[which]!;
const stub = await openStubApp();
const { page } = stub;
await page.setViewportSize({ width: 1280, height: 800 });
await stub.start({ ...firstStart, ...list.state }, list.calls);
if (list.runs) await stub.runs(list.runs);
await list.before?.(page);
await settled(page);
await page.waitForTimeout(400);
const dev = await page.context().newCDPSession(page);
const events: any[] = [];
dev.on('Tracing.dataCollected', ({ value }: any) => events.push(...value));
await dev.send('Tracing.start', {
  transferMode: 'ReportEvents',
  traceConfig: {
    includedCategories: [
      'toplevel',
      'blink.user_timing',
      'devtools.timeline',
      'v8',
      ...(process.argv[3] ? ['disabled-by-default-v8.cpu_profiler'] : []),
    ],
  },
} as any);
await page.evaluate(() => performance.mark('bench of lists'));
await page.locator(list.opens).first().click();
await page.locator(list.shows).first().waitFor();
await page.waitForTimeout(400);
const done = new Promise((r) => dev.once('Tracing.tracingComplete' as any, r));
await dev.send('Tracing.end');
await done;
const own = events.find((e) => e.name === 'bench of lists');
const mine = events.filter((e) => e.pid === own.pid && e.tid === own.tid && e.dur);
const started = mine.filter((e) => e.name.includes('StartProfiling'));
const tasks = mine
  .filter((e) => !started.some((x) => x.ts >= e.ts && x.ts <= e.ts + e.dur))
  .filter((e) => e.name.endsWith('RunTask'))
  .toSorted((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0))
  .slice(0, 3);
for (const task of tasks) {
  console.log('TASK', task.tdur / 1000, task.dur / 1000);
  const inside = mine.filter((e) => e.ts >= task.ts && e.ts + e.dur <= task.ts + task.dur && e !== task);
  const by = new Map<string, number>();
  for (const e of inside) by.set(e.name, (by.get(e.name) ?? 0) + (e.tdur ?? e.dur) / 1000);
  for (const [name, ms] of [...by].toSorted((a, b) => b[1] - a[1]).slice(0, 14)) console.log('  ', name, ms.toFixed(1));
}
if (process.argv[3]) {
  // profile samples
  const chunks = events.filter((e) => e.name === 'ProfileChunk');
  const nodes = new Map<number, any>();
  let t = 0;
  const self = new Map<string, number>();
  const incl = new Map<string, number>();
  const start = events.find((e) => e.name === 'Profile' && e.pid === own.pid);
  t = start?.args.data.startTime ?? 0;
  const task = tasks[0];
  for (const c of chunks) {
    if (c.pid !== own.pid) continue;
    const d = c.args.data;
    for (const n of d.cpuProfile?.nodes ?? []) nodes.set(n.id, n);
    (d.cpuProfile?.samples ?? []).forEach((id: number, i: number) => {
      const delta = d.timeDeltas?.[i] ?? 0;
      t += delta;
      if (t < task.ts || t > task.ts + task.dur) return;
      let n = nodes.get(id);
      const label = (x: any) =>
        `${x.callFrame.functionName || '(anon)'} ${(x.callFrame.url ?? '').split('/').pop()}:${x.callFrame.lineNumber}:${x.callFrame.columnNumber}`;
      self.set(label(n), (self.get(label(n)) ?? 0) + delta / 1000);
      const seen = new Set<string>();
      while (n) {
        const l = label(n);
        if (!seen.has(l)) {
          seen.add(l);
          incl.set(l, (incl.get(l) ?? 0) + delta / 1000);
        }
        n = nodes.get(n.parent);
      }
    });
  }
  console.log('SELF');
  for (const [l, ms] of [...self].toSorted((a, b) => b[1] - a[1]).slice(0, 25)) console.log('  ', ms.toFixed(1), l);
  console.log('INCL');
  for (const [l, ms] of [...incl].toSorted((a, b) => b[1] - a[1]).slice(0, 60)) console.log('  ', ms.toFixed(1), l);
}
console.log(await page.evaluate(() => document.querySelectorAll('main [data-line]').length));
await stub.app.close();
process.exit(0);
