import type { AppState } from '../../../../preload/contract/models.ts';
import {
  firstStart,
  heldSessions,
  production,
  report,
  signedIn,
  staging,
  understood,
} from '../../../support/stub-main/states.ts';
import { axeFindsNothingWrong, type Sight } from '../../../support/stub-main/sights.ts';
import { openForAll, page, stub } from '../../../support/stub-main/opened-stub.ts';

openForAll();

const submit = () => page.locator('button[type=submit]');
const signedOutWith = (notice: Extract<AppState['session'], { step: 'signed-out' }>['notice']) =>
  ({ session: { step: 'signed-out', ...(notice && { notice }) } }) as const;

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions };
const manage = async (item: number) => {
  await page.getByRole('banner').getByRole('button').first().click();
  await page.getByRole('menuitem').nth(item).click();
  await page.getByRole('dialog').waitFor();
};

const sights: Record<string, Sight> = {
  'log in with other accounts and a logout to be told': { state: several },
  'log in at another address': {
    state: { ...several, ...signedOutWith({ kind: 'other-address', baseUrl: 'https://old.example.test' }) },
  },
  'log in on a production server': {
    state: { ...several, activeServerId: production.id, ...signedOutWith({ kind: 'logged-out-untold' }) },
  },
  'the question for the host': {
    state: { ...several, activeServerId: production.id, session: signedIn },
    act: async () => {
      const asked = { serverId: production.id, host: 'shop.example.test' };
      await stub.fails('sessions.logout', { kind: 'production-not-confirmed', ...asked });
      await submit().click();
      await stub.fails('servers.confirmProduction', { kind: 'wrong-host', host: asked.host });
      await page.getByRole('dialog').locator('button[type=submit]').click();
      await page.getByRole('alert').waitFor();
    },
  },
  'the servers': { state: several, act: () => manage(0) },
  'a server that is edited': {
    state: several,
    act: async () => {
      await manage(0);
      await page.getByRole('listitem').nth(2).getByRole('button').nth(4).click();
      await page.locator('select').first().waitFor();
      await stub.answer('servers.test', { ok: true, value: report });
      await page.getByRole('dialog').locator('button[aria-busy]').first().click();
      await page.getByText('nginx').waitFor();
    },
  },
  'a server that is about to be deleted': {
    state: several,
    act: async () => {
      await manage(0);
      await page.getByRole('listitem').nth(2).getByRole('button').nth(5).click();
      await page.getByRole('listitem').first().waitFor({ state: 'detached' });
    },
  },
  'an import that was refused': {
    state: several,
    act: async () => {
      await manage(0);
      const error = { kind: 'import-refused', reason: 'wrong-content', detail: 'servers.2.address' } as const;
      await stub.fails('servers.importFile', error);
      await page.getByRole('dialog').getByRole('button').nth(-2).click();
      await page.getByRole('alert').waitFor();
    },
  },
  'the sessions': { state: several, act: () => manage(1) },
  'the accounts of the profile': {
    state: { ...several, session: signedIn },
    act: async () => {
      await page.getByRole('main').getByRole('button').first().click();
      await page.getByRole('menu').waitFor();
    },
  },
  'what was understood': {
    state: { ...several, session: { ...signedIn, understood } },
    act: async () => {
      await page.locator('summary').click();
      await page.getByText('datos.access_token').waitFor();
    },
  },
};

axeFindsNothingWrong(() => stub, sights);
