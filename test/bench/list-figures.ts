import type { CDPSession, Page } from 'playwright-core';
import { z } from 'zod';
import type { ChecksState } from '../../preload/contract/checks.ts';
import type { AppState } from '../../preload/contract/models.ts';
import { manyCalls, type StubCall } from '../support/stub-main/calls.ts';
import { settled } from '../support/stub-main/show-scene.ts';
import { accountsOfServer, longReport, manyServers, manySessions } from '../support/stub-main/many.ts';
import { firstStart, signedIn } from '../support/stub-main/states.ts';
import { openStubApp, type StubApp } from '../support/stub-main/stub-app.ts';
import { figure, ofRoot, type Measure } from './figures.ts';

interface List {
  name: string;
  state: Partial<AppState>;
  calls?: readonly StubCall[];
  runs?: ChecksState;
  /** Brings the window to where one press opens the list. */
  before?: (page: Page) => Promise<void>;
  /** What is pressed. */
  opens: string;
  /** What is there once the list is open. */
  shows: string;
}

const callCount = 5000;
const servers = manyServers.slice(0, manySessions.length / accountsOfServer);
const signedInThere = { ...signedIn, sessionId: 'session-0' };
const ofSessions = { servers, activeServerId: 'server-0', sessions: manySessions, session: signedInThere };
const ofServers = { servers: manyServers, activeServerId: 'server-0' };
const openAccountMenu = async (page: Page): Promise<void> => {
  await page.locator('header [aria-haspopup=menu]').click();
  await page.locator('[role=menuitem]').first().waitFor();
};

const lists: readonly List[] = [
  {
    name: `all sessions, ${manySessions.length} of them`,
    state: ofSessions,
    before: openAccountMenu,
    opens: '[role=menuitem]:has([class*=count])',
    shows: 'main [data-line]',
  },
  {
    name: `login form, ${accountsOfServer} accounts of the server`,
    state: { ...ofSessions, session: { step: 'signed-out' } },
    before: async (page) => {
      await page.locator('[data-page=settings]').click();
      await page.locator('[data-page=settings][aria-current=page]').waitFor();
    },
    opens: '[data-page=account]',
    shows: 'main input[type=password]',
  },
  {
    name: `${manyServers.length} servers`,
    state: ofServers,
    opens: '[data-page=servers]',
    shows: 'main [role=option]',
  },
  {
    name: `menu of ${manyServers.length} servers`,
    state: ofServers,
    opens: 'header [aria-haspopup=listbox]',
    shows: '[role=option]',
  },
  {
    name: `${callCount} calls`,
    state: ofServers,
    calls: manyCalls(callCount),
    opens: '[data-page=calls]',
    shows: 'main [role=option]',
  },
  {
    name: `report of ${longReport.reports[0]?.report.evidence.length} calls`,
    state: ofServers,
    runs: longReport,
    opens: '[data-page=checks]',
    shows: 'main ul:not(nav ul) [data-line]',
  },
];

const TraceEvents = z.array(
  z.object({ name: z.string(), pid: z.number(), tid: z.number(), tdur: z.number().optional() }).loose(),
);

/** Returns the processor time of the longest task that the thread of the page runs during an action, in milliseconds. */
async function longestTask(devTools: CDPSession, page: Page, act: () => Promise<void>): Promise<number> {
  const events: z.infer<typeof TraceEvents> = [];
  const onEvents = ({ value }: { value: object[] }): void => void events.push(...TraceEvents.parse(value));
  devTools.on('Tracing.dataCollected', onEvents);
  await devTools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'blink.user_timing'] },
  });
  await page.evaluate(() => performance.mark('bench of lists'));
  await act();
  const complete = new Promise((resolve) => devTools.once('Tracing.tracingComplete', resolve));
  await devTools.send('Tracing.end');
  await complete;
  devTools.off('Tracing.dataCollected', onEvents);
  const own = events.find(({ name }) => name === 'bench of lists');
  if (!own) throw new Error('The trace has nothing of the page');
  const tasks = events.filter(({ name, pid, tid }) => name.endsWith('RunTask') && pid === own.pid && tid === own.tid);
  return Math.max(0, ...tasks.map(({ tdur = 0 }) => tdur / 1000));
}

/** The page goes on for a moment after its list is there, such as for what it loads and measures. */
const afterwardsMs = 400;

const size = { width: 1280, height: 800 };

/** Opens a list in a page that was just loaded. */
async function openList(stub: StubApp, list: List): Promise<{ task: number; elements: number }> {
  const { page } = stub;
  await page.setViewportSize(size);
  await stub.start({ ...firstStart, ...list.state }, list.calls);
  if (list.runs) await stub.runs(list.runs);
  await list.before?.(page);
  await settled(page);
  await page.waitForTimeout(afterwardsMs);
  const devTools = await page.context().newCDPSession(page);
  const task = await longestTask(devTools, page, async () => {
    await page.locator(list.opens).first().click();
    await page.locator(list.shows).first().waitFor();
    await page.waitForTimeout(afterwardsMs);
  });
  await devTools.detach();
  return { task, elements: await page.evaluate(() => document.querySelectorAll('*').length) };
}

/** Measures how light long lists are when they are opened, and how many elements the page then has. */
export const measureLists: Measure = async (context) => {
  const { runs, roots, say } = context;
  const figures = new Map<string, { unit: 'ms' | 'elements'; values: number[] }>();
  const add = (name: string, unit: 'ms' | 'elements', value: number): void => {
    const { values } = figures.get(name) ?? {};
    if (values) values.push(value);
    else figures.set(name, { unit, values: [value] });
  };
  const stubs: StubApp[] = [];
  try {
    for (const root of roots) stubs.push(await openStubApp(root));
    for (const list of lists) {
      for (let run = 0; run < runs; run++) {
        for (const [at, stub] of stubs.entries()) {
          const { task, elements } = await openList(stub, list);
          add(ofRoot(`${list.name}: longest task`, context, at), 'ms', task);
          add(ofRoot(`${list.name}: elements`, context, at), 'elements', elements);
          say(`${ofRoot(list.name, context, at)}, run ${run + 1}: ${task.toFixed(1)} ms, ${elements} elements`);
        }
      }
    }
  } finally {
    for (const { app } of stubs) await app.close();
  }
  return [...figures].map(([name, { unit, values }]) => figure(name, unit, values));
};
