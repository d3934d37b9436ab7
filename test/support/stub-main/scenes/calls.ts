import { someCalls, someLogout } from '../calls.ts';
import { production } from '../states.ts';
import { page, stub } from '../opened-stub.ts';
import { atWork, go, type Scene, type Step } from '../scene.ts';

const openCalls = async () => {
  await page.keyboard.press('Control+e');
  await page.locator('#calls output').filter({ hasText: /\d/ }).waitFor();
};
/** To send again, to edit and send, to compare, to copy. */
const actions = 'article header [data-known] button';
const showCall = async (text: string) => {
  await openCalls();
  await page.locator('#calls [role=option]').filter({ hasText: text }).click();
  await page.locator('article [role=tabpanel]:visible, article [role=status]:visible').first().waitFor();
};
const pickAnother = async () => {
  await showCall('/auth/login');
  await page.locator(actions).nth(2).click();
  await page.locator('#calls [role=listbox]:focus').waitFor();
};
const sendAgain = () => page.locator(actions).first().click();
const edit = async () => {
  await page.locator(actions).nth(1).click();
  await page.locator('article form').waitFor();
};
const recorded = { state: atWork, calls: someCalls };

const openCall: Step[] = [
  ...go('calls'),
  { press: 'main [role=option]' },
  { wait: 'article [role=status], article h3' },
];
const openEdit: Step[] = [...openCall, { press: actions, at: 1 }, { wait: 'article form' }];
/** The recorded requests. */
export const scenes: readonly Scene[] = [
  { name: 'calls', ...recorded, asks: ['calls.list'], steps: go('calls') },
  { name: 'calls-none', state: atWork, steps: go('calls') },
  {
    name: 'calls-added-header',
    ...recorded,
    steps: [
      ...go('calls'),
      { press: 'main [role=option]', at: 1 },
      { wait: 'article [role=tab]' },
      { press: 'article [role=tab]', at: 2 },
    ],
  },
  {
    name: 'calls-one',
    isScreen: true,
    ...recorded,
    asks: ['calls.list', 'calls.get'],
    steps: openCall,
  },
  {
    name: 'calls-edit',
    ...recorded,
    steps: [...openEdit, { type: 'article form input >> nth=0', text: '/api/v1/auth/registro' }],
  },
  {
    name: 'calls-edit-refused',
    ...recorded,
    steps: [
      ...openEdit,
      { type: 'article form input >> nth=0', text: '//evil.example' },
      { fails: 'calls.replay', error: { kind: 'not-replayable', problem: 'unsafe-path' } },
      { press: 'article form [type=submit]' },
      { wait: 'article [role=alert]' },
    ],
  },
  {
    name: 'the calls',
    ...recorded,
    act: async () => {
      await openCalls();
      await page.locator('#calls input').first().press('ArrowDown');
      await page.locator('[aria-activedescendant]').waitFor();
    },
  },
  {
    name: 'a search of the calls that finds nothing',
    ...recorded,
    act: async () => {
      await openCalls();
      await page.locator('#calls input').first().fill('nothing has this');
      await page.locator('#calls [role=listbox]').waitFor({ state: 'detached' });
    },
  },
  {
    name: 'the ways to copy a call',
    isScreen: true,
    ...recorded,
    act: async () => {
      await showCall('/auth/login');
      await page.locator('article header [aria-haspopup=menu]').first().click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'a replay beside its original',
    isScreen: true,
    ...recorded,
    act: async () => {
      const [login, failed] = [someCalls[0]!.recorded!, someCalls[1]!.recorded!];
      const call = { ...login, response: failed.response!, replayOf: { id: login.id } };
      await showCall('/auth/login');
      await stub.answer('calls.replay', { ok: true, value: { outcome: 'sent', call } });
      await sendAgain();
      await page.locator('#calls [role=radiogroup]').waitFor();
    },
  },
  {
    name: 'a request that is edited',
    isScreen: true,
    ...recorded,
    act: async () => {
      await showCall('/auth/login');
      await edit();
      await page.locator('article textarea').press('Control+Home');
      await page.locator('article textarea').pressSequentially('{"n":1,\n');
      await page.locator('article form section').first().getByRole('button').first().click();
      await page.keyboard.type('X-Trace');
    },
  },
  {
    name: 'a request that is edited in a narrow window',
    ...recorded,
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await showCall('/auth/login');
      await edit();
    },
  },
  {
    name: 'a replay that was not answered',
    ...recorded,
    act: async () => {
      const [login, failed] = [someCalls[0]!.recorded!, someCalls[3]!.recorded!];
      const { response: _response, ...request } = login;
      const call = { ...request, failure: failed.failure!, replayOf: { id: login.id } };
      await showCall('/auth/login');
      await stub.answer('calls.replay', { ok: true, value: { outcome: 'sent', call } });
      await sendAgain();
      await page.locator('#calls [role=radiogroup]').waitFor();
    },
  },
  {
    name: 'the question for secrets that are gone',
    isScreen: true,
    ...recorded,
    act: async () => {
      await showCall('/auth/login');
      const missing = [
        { secret: 'token', id: 's1' },
        { secret: 'password', id: 'p1' },
      ] as const;
      await stub.answer('calls.replay', { ok: true, value: { outcome: 'secrets-missing', missing: [...missing] } });
      await sendAgain();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'the question before a session is ended at the server',
    isScreen: true,
    ...recorded,
    calls: [someLogout],
    act: async () => {
      await showCall('/salir');
      await sendAgain();
      await page.getByRole('dialog').waitFor();
    },
  },
  ...['response', 'request', 'timing'].map((name, index) => ({
    name: `the ${name} of a call`,
    state: recorded.state,
    calls: recorded.calls,
    act: async () => {
      await showCall('/auth/login');
      await page
        .getByRole('tab')
        .nth(index + 1)
        .click();
    },
  })),
  { name: 'the choice of a call to compare with', ...recorded, act: pickAnother },
  {
    name: 'two calls compared',
    isScreen: true,
    ...recorded,
    act: async () => {
      await pickAnother();
      await page.locator('#calls [role=option]').filter({ hasText: '422' }).click();
      await page.locator('#calls [role=radiogroup]').waitFor();
    },
  },
  {
    name: 'the calls in a narrow window',
    ...recorded,
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await openCalls();
      await page.locator('search > button').click();
      await page.locator('[role=dialog]').waitFor();
    },
  },
  {
    name: 'a call in a narrow window',
    ...recorded,
    act: async () => {
      await page.setViewportSize({ width: 480, height: 640 });
      await showCall('/auth/login');
    },
  },
  {
    name: 'the dock of calls',
    isScreen: true,
    state: { ...atWork, activeServerId: production.id },
    calls: someCalls,
    act: async () => {
      await page.setViewportSize({ width: 1400, height: 800 });
      await page.keyboard.press('Control+e');
      await page.locator('#calls-dock [role=option]').first().click();
      await page.locator('#calls-dock [role=tabpanel]:visible').waitFor();
    },
  },
  { name: 'a call of a page', isScreen: true, ...recorded, act: () => showCall('502') },
  { name: 'a call of a picture', isScreen: true, ...recorded, act: () => showCall('?token=') },
  { name: 'a call that failed', isScreen: true, ...recorded, act: () => showCall('/registro') },
  { name: 'a call of a redirect', ...recorded, act: () => showCall('302') },
  { name: 'a call with long lines', isScreen: true, ...recorded, act: () => showCall('422') },
  { name: 'a call that is not kept any more', ...recorded, act: () => showCall('/gone') },
  {
    name: 'the question before calls are cleared',
    isScreen: true,
    ...recorded,
    act: async () => {
      await openCalls();
      await page.locator('#calls header [aria-haspopup=menu]').first().click();
      await page.getByRole('menuitem').last().click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
