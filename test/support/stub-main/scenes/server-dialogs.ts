import { firstStart, heldSessions, production, connectionReport, signedIn, staging, stagingMock } from '../states.ts';
import { page, stub } from '../opened-stub.ts';
import type { Scene } from '../scene.ts';

const submit = () => page.locator('button[type=submit]');

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const chip = () => page.locator('header [aria-haspopup=listbox]');
const openMenu = async () => {
  await chip().click();
  await page.locator('[role=combobox]:focus').waitFor();
};
const openServers = async () => {
  await page.locator('[data-page=servers]').click();
  await page.getByRole('listbox').waitFor();
};
const openSessions = async () => {
  await page.getByRole('banner').getByRole('button').last().click();
  await page.getByRole('menuitem').nth(-2).click();
  await page.getByRole('main').getByRole('listitem').first().waitFor();
};
const openProduction = async () => {
  await openServers();
  await page.getByRole('option').nth(2).click();
  await page.getByRole('heading', { level: 2, name: production.name }).waitFor();
};

/** What a person may come to see of servers and of the sessions at them. */
export const dialogScenes: readonly Scene[] = [
  {
    name: 'the question for the host',
    state: { ...several, activeServerId: production.id, session: signedIn },
    act: async () => {
      const asked = { serverId: production.id, host: 'shop.example.test' };
      await page.getByRole('banner').getByRole('button').last().click();
      await stub.fails('sessions.logout', { kind: 'production-not-confirmed', ...asked });
      await page.getByRole('menuitem').last().click();
      await stub.fails('servers.confirmProduction', { kind: 'wrong-host', host: asked.host });
      await page.getByRole('dialog').getByRole('textbox').press('Enter');
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'the menu of servers with what is typed',
    isScreen: true,
    state: several,
    act: async () => {
      await openMenu();
      await page.keyboard.type('shop');
      await page.keyboard.press('ArrowDown');
    },
  },
  {
    name: 'a mock server that differs',
    isScreen: true,
    state: {
      ...several,
      servers: [
        ...firstStart.servers,
        staging,
        {
          ...stagingMock,
          mock: { ...stagingMock.mock, verification: { state: 'compared', cases: 61, differences: 3 } },
        },
      ],
    },
    act: async () => {
      await openServers();
      await page.getByRole('option').nth(2).click();
      await page.locator('main details[open]').waitFor();
      const closed = page.locator('main details:not([open]) > summary:visible');
      while ((await closed.count()) > 0) await closed.first().click();
    },
  },
  {
    name: 'a mock server that does not run',
    isScreen: true,
    state: {
      ...several,
      servers: [
        ...firstStart.servers,
        staging,
        { ...stagingMock, baseUrl: '', mock: { ...stagingMock.mock, run: { state: 'stopped' } } },
      ],
      mockCreation: {
        serverId: staging.id,
        mockId: stagingMock.id,
        work: { step: 'measuring', casesDone: 12, casesPlanned: 64, secondsLeft: 31 },
      },
    },
    act: async () => {
      await openServers();
      await page.getByRole('option').nth(2).click();
      await page.locator('main progress').last().waitFor();
    },
  },
  {
    name: 'a server that is edited',
    isScreen: true,
    state: several,
    act: async () => {
      await openProduction();
      await stub.answer('servers.test', { ok: true, value: connectionReport });
      await page.locator('main button[aria-busy=false]').first().click();
      await page.getByText('nginx').waitFor();
      for (const fold of await page.locator('summary').all()) await fold.click();
      await page.getByRole('radio').first().check();
      await page.locator('main button[type=submit][aria-disabled=false]').waitFor();
    },
  },
  {
    name: 'a server that could not be saved',
    state: several,
    act: async () => {
      await openProduction();
      await page.getByRole('radio').first().check();
      await stub.fails('servers.edit', { kind: 'cancelled' });
      await submit().click();
      await page.locator('main [role=status][tabindex]').waitFor();
    },
  },
  {
    name: 'a connection that cannot be used',
    state: several,
    act: async () => {
      await openProduction();
      await page.getByRole('radio').first().check();
      await stub.fails('servers.edit', { kind: 'invalid-connection', field: 'limits' });
      await submit().click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'a server that did not answer',
    state: several,
    act: async () => {
      await openProduction();
      await stub.fails('servers.test', { kind: 'offline' });
      await page.locator('main button[aria-busy=false]').first().click();
      await page.locator('main [role=alert]').waitFor();
    },
  },
  {
    name: 'what else can be done with a server',
    isScreen: true,
    state: several,
    act: async () => {
      await openProduction();
      await page.locator('main [aria-haspopup=menu]').last().click();
      await page.getByRole('menu').waitFor();
    },
  },
  {
    name: 'a new server',
    state: several,
    act: async () => {
      await openServers();
      await page.locator('main header button').last().click();
      await page.getByRole('option').nth(3).waitFor();
    },
  },
  {
    name: 'a server that is about to be deleted',
    isScreen: true,
    state: several,
    act: async () => {
      await openProduction();
      await page.locator('main [aria-haspopup=menu]').last().click();
      await page.getByRole('menuitem').last().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  {
    name: 'an import that was refused',
    state: several,
    act: async () => {
      await openServers();
      await stub.fails('mocks.importModel', { kind: 'import-refused', reason: 'not-a-model' });
      await page.locator('main header button').nth(1).click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'a session that could not be checked',
    state: { ...several, session: signedIn },
    act: async () => {
      await page.getByRole('banner').getByRole('button').last().click();
      await page.getByRole('menuitem').nth(-3).click();
      await stub.fails('sessions.check', { kind: 'offline' });
      await page.locator('main [aria-haspopup=menu]').first().click();
      await page.getByRole('menuitem').first().click();
      await page.getByRole('alert').waitFor();
    },
  },
  {
    name: 'what else can be done with a session',
    isScreen: true,
    state: several,
    act: async () => {
      await openSessions();
      await page.locator('main [aria-haspopup=menu]').first().click();
      await page.getByRole('menu').waitFor();
    },
  },
];
