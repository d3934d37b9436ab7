import type { MethodName } from '../../../../preload/contract/contract.ts';
import { demoSession, firstStart, heldSessions, misbehaving, production, signedIn, staging } from '../states.ts';
import { page, stub } from '../opened-stub.ts';
import { atWork, go, type Scene, type Step } from '../scene.ts';

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const openBuiltInServer = async (tab: number) => {
  await page.keyboard.press('Control+b');
  await page.getByRole('tab').nth(tab).click();
  await page.getByRole('tabpanel').getByRole('button').first().waitFor();
};
const builtInServer = { state: { ...several, behaviour: misbehaving } };
const panelButton = (index: number) => page.getByRole('tabpanel').getByRole('button').nth(index);
const question = () => page.getByRole('dialog').waitFor();

const tab = (at: number): Step[] => [
  ...go('built-in'),
  { press: '[role=tab]', at },
  { wait: '[role=tabpanel] button' },
];
/** The page counts what is in it when it is entered, and when another tab is chosen. */
const entered: MethodName[] = ['builtIn.choices', 'builtIn.counts'];
const chosen: MethodName[] = [...entered, 'builtIn.counts'];
/** The built-in server. */
export const scenes: readonly Scene[] = [
  { name: 'built-in-behaviour', state: { ...atWork, behaviour: misbehaving }, asks: entered, steps: tab(0) },
  {
    name: 'built-in-account-management',
    isScreen: true,
    state: {
      ...atWork,
      servers: atWork.servers.map((each) =>
        each.builtIn ? { ...each, interface: { ...each.interface, account: { secondFactor: 'asked' } } } : each,
      ),
      behaviour: { ...misbehaving, defects: ['stack-traces', 'old-codes-accepted', 'token-outlives-account'] },
    },
    steps: tab(0),
  },
  { name: 'built-in-people', isScreen: true, state: atWork, asks: [...chosen, 'builtIn.accounts'], steps: tab(1) },
  { name: 'built-in-sessions', state: atWork, asks: [...chosen, 'builtIn.sessions'], steps: tab(2) },
  { name: 'built-in-clock-ahead', state: { ...atWork, clockAheadMs: 31 * 86_400_000 + 3_600_000 }, steps: tab(2) },
  {
    name: 'built-in-requests',
    isScreen: true,
    state: atWork,
    asks: [...chosen, 'builtIn.requests', 'builtIn.clientReport'],
    steps: tab(3),
  },
  { name: 'built-in-data', state: atWork, asks: [...chosen, 'builtIn.data'], steps: tab(4) },
  {
    name: 'a demo that could not be started',
    act: async () => {
      await stub.fails('demo.start', { kind: 'demo-taken', email: 'demo@llavero.invalid' });
      await page.locator('[aria-describedby=try-offline-help]').click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'the profile of the demo, at a service that misbehaves',
    state: { session: signedIn, sessions: [demoSession], behaviour: misbehaving },
  },
  {
    name: 'the behaviour of the built-in server',
    isScreen: true,
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(0);
      await page.locator('form select').nth(1).selectOption('latency');
      await page.locator('input[name=least]').fill('x');
      await page.locator('section form button[type=submit]').first().click();
      await page.locator('input[name=least][aria-invalid=true]').waitFor();
    },
  },
  {
    name: 'the behaviour of a built-in server that does as it should, in a narrow window',
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await openBuiltInServer(0);
    },
  },
  {
    name: 'the people of the built-in server, in a narrow window',
    isScreen: true,
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await openBuiltInServer(1);
      await page.getByRole('grid').waitFor();
    },
  },
  {
    name: 'a behaviour that was refused',
    isScreen: true,
    act: async () => {
      await openBuiltInServer(0);
      await stub.fails('builtIn.setBehaviour', { kind: 'built-in-stopped', message: 'EACCES' });
      await page.getByRole('tabpanel').getByRole('switch').first().click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'the sessions of a built-in server whose clock is ahead, and would go no further',
    state: { ...several, clockAheadMs: 3_600_000 },
    act: async () => {
      await openBuiltInServer(2);
      await stub.fails('builtIn.moveClock', { kind: 'clock-not-moved', reason: 'no-token' });
      await panelButton(2).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'the question before every session is ended',
    isScreen: true,
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(2);
      await panelButton(5).click();
      await question();
    },
  },
  {
    name: 'no requests to the built-in server',
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(3);
      await panelButton(0).click();
      await page.getByRole('grid').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'the data of the built-in server',
    isScreen: true,
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(4);
      await panelButton(1).waitFor();
    },
  },
  {
    name: 'the question before all data is replaced',
    isScreen: true,
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(4);
      await panelButton(0).click();
      await question();
    },
  },
];
