import { readdir } from 'node:fs/promises';
import { setTimeout as after } from 'node:timers/promises';
import type { CDPSession, ElectronApplication, Page } from 'playwright-core';
import { newProfile, projectRoot, register, withWindow } from './application-figures.ts';
import type { Measure } from './context.ts';
import { figure } from './figures.ts';
import { person } from './requests.ts';
import { privateMegabytes } from './resting-figures.ts';
import { slope } from './statistics.ts';

const MINUTES = 10;
/** What is loaded, compiled and cached once is there after these. */
const WARM_MINUTES = 5;
const SAMPLE_EVERY_MS = 15_000;
/** The built-in server takes 300 attempts of one client in a minute, and a journey has three. */
const JOURNEY_AT_LEAST_MS = 700;

type Sample = {
  minutes: number;
  /** What V8 holds after it has collected, with its buffers, and what the processes have to themselves. */
  mainHeap: number;
  pageHeap: number;
  private: number;
  /** Open files and sockets of main, and what keeps its loop alive. */
  handles: number;
  nodes: number;
  listeners: number;
};

/** Has V8 collect in main and in the page, and looks at what is left. */
async function sample(app: ElectronApplication, cdp: CDPSession, since: number): Promise<Sample> {
  const main = await app.evaluate(() => {
    process.getBuiltinModule('node:v8').setFlagsFromString('--expose-gc');
    // The flag adds it to new contexts, and no type knows it.
    const collect = process.getBuiltinModule('node:vm').runInNewContext('gc') as () => void;
    collect();
    collect();
    const { heapUsed, external } = process.memoryUsage();
    return { heap: heapUsed + external, resources: process.getActiveResourcesInfo().length };
  });
  await cdp.send('HeapProfiler.collectGarbage');
  const { usedSize } = await cdp.send('Runtime.getHeapUsage');
  const counted = await cdp.send('Memory.getDOMCounters');
  const pid = app.process().pid ?? 0;
  const files = await readdir(`/proc/${pid}/fd`);
  return {
    minutes: (performance.now() - since) / 60_000,
    mainHeap: main.heap / 1e6,
    pageHeap: usedSize / 1e6,
    private: await privateMegabytes(pid),
    handles: files.length + main.resources,
    nodes: counted.nodes,
    listeners: counted.jsEventListeners,
  };
}

/** Logs out, registers another person, logs out, and logs the first one in. The profile is shown afterwards. */
async function journey(page: Page, number: number): Promise<void> {
  const logOut = async () => {
    await page.getByRole('button', { name: 'Log out', exact: true }).click();
    await page.getByRole('heading', { name: 'Log in', exact: true }).waitFor();
  };
  await logOut();
  await register(page, `soak${number}@example.com`);
  await logOut();
  await page.getByLabel('Email', { exact: true }).fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByRole('heading', { name: 'Profile', exact: true }).waitFor();
}

/** Measures what ten minutes of journeys leave behind, a minute. */
export const measureSoak: Measure = async ({ folder, say }) => {
  if (process.platform !== 'linux') {
    say('soak: skipped, since only Linux tells what each process has to itself');
    return [];
  }
  // More people register than the built-in server takes from one client in a minute.
  const profile = await newProfile(folder, { service: { registrationsPerMinute: 10_000 } });
  const soak = async (app: ElectronApplication, page: Page) => {
    await register(page);
    const cdp = await page.context().newCDPSession(page);
    const since = performance.now();
    const samples: Sample[] = [];
    let journeys = 0;
    let sampledAt = since;
    while (performance.now() - since < MINUTES * 60_000) {
      await Promise.all([journey(page, ++journeys), after(JOURNEY_AT_LEAST_MS)]);
      if (performance.now() - sampledAt < SAMPLE_EVERY_MS) continue;
      sampledAt = performance.now();
      const taken = await sample(app, cdp, since);
      samples.push(taken);
      const shown = Object.entries(taken).map(([name, value]) => `${name} ${value.toFixed(1)}`);
      say(`soak, ${journeys} journeys: ${shown.join(', ')}`);
    }
    const warm = samples.filter(({ minutes }) => minutes >= WARM_MINUTES);
    const rise = (name: keyof Sample) => slope(warm.map((each) => [each.minutes, each[name]]));
    return [
      figure('soak-private-rise', 'MB/min', [rise('private')]),
      figure('soak-main-heap-rise', 'MB/min', [rise('mainHeap')]),
      figure('soak-page-heap-rise', 'MB/min', [rise('pageHeap')]),
      figure('soak-handles-rise', '1/min', [rise('handles')]),
      figure('soak-nodes-rise', '1/min', [rise('nodes')]),
      figure('soak-listeners-rise', '1/min', [rise('listeners')]),
      figure('soak-journeys-a-minute', '1/min', [journeys / MINUTES]),
    ];
  };
  return withWindow(projectRoot, folder, soak, profile);
};
