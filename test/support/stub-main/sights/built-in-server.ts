import { demoSession, firstStart, heldSessions, misbehaving, production, signedIn, staging } from '../states.ts';
import { page, stub } from '../opened-stub.ts';
import type { Sights } from '../scene.ts';

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const openBuiltInServer = async (tab: number) => {
  await page.keyboard.press('Control+b');
  await page.getByRole('tab').nth(tab).click();
  await page.getByRole('tabpanel').getByRole('button').first().waitFor();
};
const builtInServer = { state: { ...several, behaviour: misbehaving } };
const panelButton = (index: number) => page.getByRole('tabpanel').getByRole('button').nth(index);
const question = () => page.getByRole('dialog').waitFor();

/** What a person may come to see of the built-in server, and of what it does at the log in. */
export const sights: Sights = {
  'a demo that could not be started': {
    act: async () => {
      await stub.fails('demo.start', { kind: 'demo-taken', email: 'demo@llavero.invalid' });
      await page.locator('[aria-describedby=try-offline-help]').click();
      await page.getByRole('alert').waitFor();
    },
  },
  'the profile of the demo, at a service that misbehaves': {
    state: { session: signedIn, sessions: [demoSession], behaviour: misbehaving },
  },
  'the behaviour of the built-in server': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(0);
      await page.locator('form select').nth(1).selectOption('latency');
      await page.locator('input[name=least]').fill('x');
      await page.locator('section form button[type=submit]').first().click();
      await page.locator('input[name=least][aria-invalid=true]').waitFor();
    },
  },
  'the behaviour of a built-in server that does as it should, in a narrow window': {
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await openBuiltInServer(0);
    },
  },
  'the people of the built-in server, in a narrow window': {
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await openBuiltInServer(1);
      await page.getByRole('grid').waitFor();
    },
  },
  'a behaviour that was refused': {
    act: async () => {
      await openBuiltInServer(0);
      await stub.fails('builtIn.behave', { kind: 'built-in-stopped', message: 'EACCES' });
      await page.getByRole('tabpanel').getByRole('switch').first().click();
      await page.getByRole('alert').waitFor();
    },
  },
  'the sessions of a built-in server whose clock is ahead, and would go no further': {
    state: { ...several, clockAheadMs: 3_600_000 },
    act: async () => {
      await openBuiltInServer(2);
      await stub.fails('builtIn.moveClock', { kind: 'clock-not-moved', reason: 'no-token' });
      await panelButton(2).click();
      await page.getByRole('alert').waitFor();
    },
  },
  'the question before every session is ended': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(2);
      await panelButton(5).click();
      await question();
    },
  },
  'no requests to the built-in server': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(3);
      await panelButton(0).click();
      await page.getByRole('grid').waitFor({ state: 'detached' });
    },
  },
  'the data of the built-in server': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(4);
      await panelButton(2).click();
      await page.getByRole('grid').waitFor();
    },
  },
  'the question before all data is replaced': {
    ...builtInServer,
    act: async () => {
      await openBuiltInServer(4);
      await panelButton(0).click();
      await question();
    },
  },
};
