import { page } from '../opened-stub.ts';
import { atWork, type Scene } from '../scene.ts';
import { firstStart, heldSessions, misbehaving, production, signedIn, staging } from '../states.ts';

const several = { servers: [...firstStart.servers, staging, production], sessions: heldSessions, session: signedIn };
/** What stands around every page. */
export const scenes: readonly Scene[] = [
  {
    name: 'menu-servers',
    isScreen: true,
    state: atWork,
    asks: [],
    steps: [{ press: 'header [aria-haspopup=listbox]' }, { wait: '[role=listbox]' }],
  },
  {
    name: 'menu-address-refused',
    still: true,
    steps: [
      { fails: 'servers.chooseAddress', error: { kind: 'invalid-address', problem: 'not-a-url' } },
      { press: 'header [aria-haspopup=listbox]' },
      { type: 'input[inputmode=url]', text: 'a b c' },
      { key: 'Enter' },
      { wait: '[role=alert]' },
    ],
  },
  {
    name: 'menu-account',
    isScreen: true,
    state: atWork,
    asks: [],
    steps: [{ press: 'header [aria-haspopup=menu]' }, { wait: '[role=menu]' }],
  },
  {
    name: 'palette',
    isScreen: true,
    state: atWork,
    steps: [{ key: 'ControlOrMeta+k' }, { wait: '[role=dialog] input' }],
  },
  { name: 'keys', isScreen: true, state: atWork, steps: [{ key: 'ControlOrMeta+/' }, { wait: '[role=dialog] kbd' }] },
  {
    name: 'warnings',
    state: {
      ...atWork,
      activeServerId: staging.id,
      behaviour: misbehaving,
      vault: { state: 'locked' },
      files: [
        { file: 'config.json', problem: 'restored', quarantinedAs: 'config.json.broken-2026-11-21T10-00-00-000Z' },
        { file: 'vault.json', problem: 'unreadable' },
      ],
    },
  },
  { name: 'the Simple face', state: { ...several, settings: { ...firstStart.settings, workbench: false } } },
  {
    name: 'the warnings of the status bar, of which one is open',
    // Wider windows have room for each of them.
    size: { width: 1000, height: 700 },
    isScreen: true,
    state: { ...several, behaviour: misbehaving, activeServerId: production.id, vault: { state: 'locked' } },
    act: async () => {
      await page.getByRole('contentinfo').getByRole('button').first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
];
