import { someCalls, someLogout } from '../calls.ts';
import { firstStart, heldSessions, production, staging } from '../states.ts';
import { page, stub } from '../opened-stub.ts';
import type { Sights } from '../scene.ts';

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const openCalls = async () => {
  await page.keyboard.press('Control+e');
  await page.locator('#calls output').filter({ hasText: /\d/ }).waitFor();
};
const openCall = async (text: string) => {
  await openCalls();
  await page.locator('#calls [role=option]').filter({ hasText: text }).click();
  await page.locator('article [role=tabpanel]:visible, article [role=status]:visible').first().waitFor();
};
const pickAnother = async () => {
  await openCall('/auth/login');
  await page.locator('article header button:visible').nth(1).click();
  await page.locator('#calls [role=listbox]:focus').waitFor();
};
const replayAsItWas = async () => {
  await page.locator('article header [aria-haspopup=menu]').first().click();
  await page.getByRole('menuitem').first().click();
};
const edit = async () => {
  await page.locator('article header [aria-haspopup=menu]').first().click();
  await page.getByRole('menuitem').nth(1).click();
  await page.locator('article form').waitFor();
};
const recorded = { state: several, calls: someCalls };

/** What a person may come to see of the recorded calls. */
export const sights: Sights = {
  'the calls': {
    ...recorded,
    act: async () => {
      await openCalls();
      await page.locator('#calls input').first().press('ArrowDown');
      await page.locator('[aria-activedescendant]').waitFor();
    },
  },
  'a search of the calls that finds nothing': {
    ...recorded,
    act: async () => {
      await openCalls();
      await page.locator('#calls input').first().fill('nothing has this');
      await page.locator('#calls [role=listbox]').waitFor({ state: 'detached' });
    },
  },
  'the ways to copy a call': {
    ...recorded,
    act: async () => {
      await openCall('/auth/login');
      await page.locator('article header [aria-haspopup=menu]').nth(1).click();
      await page.getByRole('menu').waitFor();
    },
  },
  'a replay beside its original': {
    ...recorded,
    act: async () => {
      const [login, failed] = [someCalls[0]!.recorded!, someCalls[1]!.recorded!];
      const call = { ...login, response: failed.response!, replayOf: { id: login.id } };
      await openCall('/auth/login');
      await stub.answer('calls.replay', { ok: true, value: { outcome: 'sent', call } });
      await replayAsItWas();
      await page.locator('#calls [role=radiogroup]').waitFor();
    },
  },
  'a request that is edited': {
    ...recorded,
    act: async () => {
      await openCall('/auth/login');
      await edit();
      await page.locator('article textarea').press('Control+Home');
      await page.locator('article textarea').pressSequentially('{"n":1,\n');
      await page.locator('article form section').first().getByRole('button').first().click();
      await page.keyboard.type('X-Trace');
    },
  },
  'a request that is edited in a narrow window': {
    ...recorded,
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await openCall('/auth/login');
      await edit();
    },
  },
  'a replay that was not answered': {
    ...recorded,
    act: async () => {
      const [login, failed] = [someCalls[0]!.recorded!, someCalls[3]!.recorded!];
      const { response: _response, ...request } = login;
      const call = { ...request, failure: failed.failure!, replayOf: { id: login.id } };
      await openCall('/auth/login');
      await stub.answer('calls.replay', { ok: true, value: { outcome: 'sent', call } });
      await replayAsItWas();
      await page.locator('#calls [role=radiogroup]').waitFor();
    },
  },
  'the question for secrets that are gone': {
    ...recorded,
    act: async () => {
      await openCall('/auth/login');
      const missing = [
        { secret: 'token', id: 's1' },
        { secret: 'password', id: 'p1' },
      ] as const;
      await stub.answer('calls.replay', { ok: true, value: { outcome: 'secrets-missing', missing: [...missing] } });
      await replayAsItWas();
      await page.getByRole('dialog').waitFor();
    },
  },
  'the question before a session is ended at the server': {
    ...recorded,
    calls: [someLogout],
    act: async () => {
      await openCall('/salir');
      await replayAsItWas();
      await page.getByRole('dialog').waitFor();
    },
  },
  ...Object.fromEntries(
    ['response', 'request', 'timing'].map((name, index) => [
      `the ${name} of a call`,
      {
        ...recorded,
        act: async () => {
          await openCall('/auth/login');
          await page
            .getByRole('tab')
            .nth(index + 1)
            .click();
        },
      },
    ]),
  ),
  'the choice of a call to compare with': { ...recorded, act: pickAnother },
  'two calls compared': {
    ...recorded,
    act: async () => {
      await pickAnother();
      await page.locator('#calls [role=option]').filter({ hasText: '422' }).click();
      await page.locator('#calls [role=radiogroup]').waitFor();
    },
  },
  'the calls in a narrow window': {
    ...recorded,
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await openCalls();
      await page.locator('search > button').click();
      await page.locator('[role=dialog]').waitFor();
    },
  },
  'a call in a narrow window': {
    ...recorded,
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await openCall('/auth/login');
    },
  },
  'the dock of calls': {
    state: { ...several, activeServerId: production.id },
    calls: someCalls,
    act: async () => {
      await page.setViewportSize({ width: 1400, height: 800 });
      await page.keyboard.press('Control+e');
      await page.locator('#calls-dock [role=option]').first().click();
      await page.locator('#calls-dock [role=tabpanel]:visible').waitFor();
    },
  },
  'a call of a page': { ...recorded, act: () => openCall('502') },
  'a call of a picture': { ...recorded, act: () => openCall('?token=') },
  'a call that failed': { ...recorded, act: () => openCall('/registro') },
  'a call of a redirect': { ...recorded, act: () => openCall('302') },
  'a call with long lines': { ...recorded, act: () => openCall('422') },
  'a call that is not kept any more': { ...recorded, act: () => openCall('/gone') },
  'the question before calls are cleared': {
    ...recorded,
    act: async () => {
      await openCalls();
      await page.locator('#calls header [aria-haspopup=menu]').first().click();
      await page.getByRole('menuitem').last().click();
      await page.getByRole('dialog').waitFor();
    },
  },
};
