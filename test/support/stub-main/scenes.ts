import type { MethodName } from '../../../preload/contract/contract.ts';
import { someCalls } from './calls.ts';
import {
  comparison,
  report as contractReport,
  underWay,
  withChanges,
  withOnlyFindings,
  withReport,
} from './contract-runs.ts';
import { history, withKept } from './kept-runs.ts';
import { announced, firstStart, longHosts, misbehaving, staging } from './states.ts';
import { vaults } from './late-scenes.ts';
import { accountScenes, sessionScenes } from './account-scenes.ts';
import { atWork, go, simple, type Scene, type Step } from './scene.ts';
import { serverScenes } from './server-scenes.ts';

const recorded = { state: atWork, calls: someCalls };
const ofStaging = { state: { ...atWork, activeServerId: staging.id }, calls: someCalls };
const tab = (at: number): Step[] => [
  ...go('built-in'),
  { press: '[role=tab]', at },
  { wait: '[role=tabpanel] button' },
];
const shell: Scene[] = [
  {
    name: 'menu-servers',
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
    state: atWork,
    asks: [],
    steps: [{ press: 'header [aria-haspopup=menu]' }, { wait: '[role=menu]' }],
  },
  { name: 'palette', state: atWork, steps: [{ key: 'ControlOrMeta+k' }, { wait: '[role=dialog] input' }] },
  { name: 'keys', state: atWork, steps: [{ key: 'ControlOrMeta+/' }, { wait: '[role=dialog] kbd' }] },
  {
    name: 'warnings',
    state: {
      ...atWork,
      activeServerId: staging.id,
      behaviour: misbehaving,
      vault: { state: 'locked' },
      files: [
        { file: 'config.json', problem: 'restored', kept: 'config.json.broken-2026-11-21T10-00-00-000Z' },
        { file: 'vault.json', problem: 'unreadable' },
      ],
    },
  },
];

const openCall: Step[] = [
  ...go('calls'),
  { press: 'main [role=option]' },
  { wait: 'article [role=status], article h3' },
];
const openEdit: Step[] = [
  ...openCall,
  { press: 'article header [aria-haspopup=menu]' },
  { press: '[role=menuitem]', at: 1 },
  { wait: 'article form' },
];
const calls: Scene[] = [
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
    ...recorded,
    asks: ['calls.list', 'calls.get'],
    steps: openCall,
  },
  {
    name: 'calls-replay',
    ...recorded,
    asks: ['calls.list', 'calls.get', 'calls.replayChanges'],
    steps: [...openCall, { press: 'article header [aria-haspopup=menu]' }, { wait: '[role=menu]' }],
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
];

const contract: Scene[] = [
  { name: 'contract-none', ...ofStaging, asks: ['contractRun.state'], steps: go('contract') },
  {
    name: 'contract-new',
    ...ofStaging,
    asks: ['contractRun.plan', 'contractRun.state'],
    steps: [...go('contract'), { press: 'main section section button' }, { wait: 'main form' }],
  },
  { name: 'contract-running', ...ofStaging, runs: { reports: [], underWay }, steps: go('contract') },
  { name: 'contract-report', ...ofStaging, asks: ['contractRun.state'], runs: withReport, steps: go('contract') },
  {
    name: 'contract-long-hosts',
    state: { ...atWork, servers: [...firstStart.servers, longHosts], activeServerId: longHosts.id },
    runs: {
      reports: [{ serverId: longHosts.id, report: { ...contractReport, baseUrl: longHosts.baseUrl }, runKept: true }],
    },
    steps: go('contract'),
  },
  {
    name: 'contract-other-interface',
    ...ofStaging,
    runs: {
      reports: [
        {
          serverId: 'staging',
          report: { ...contractReport, otherInterfaces: ['laravel-sanctum', 'laravel-breeze'] },
          runKept: true,
        },
      ],
    },
    steps: go('contract'),
  },
  { name: 'contract-changed', ...ofStaging, runs: withChanges, steps: go('contract') },
  {
    name: 'contract-compare',
    ...ofStaging,
    runs: withReport,
    steps: [
      ...go('contract'),
      { answers: 'contractRun.compareFile', value: { comparison } },
      { press: 'main header [aria-haspopup=menu]:visible' },
      { press: '[role=menuitem]' },
      { wait: 'table' },
    ],
  },
  { name: 'contract-only-findings', ...ofStaging, runs: withOnlyFindings, steps: go('contract') },
  { name: 'contract-kept', ...ofStaging, runs: withKept, steps: go('contract') },
  {
    name: 'contract-accept',
    ...ofStaging,
    runs: { reports: [{ serverId: 'staging', report: contractReport, runKept: true }] },
    steps: [
      ...go('contract'),
      { press: 'main section [data-line="finding:wrong-password-accepted"]' },
      { press: 'main aside button[aria-label*=": "]:visible', at: -1 },
      { wait: '[role=dialog] textarea' },
    ],
  },
  {
    name: 'contract-history',
    ...ofStaging,
    runs: withKept,
    steps: [
      ...go('contract'),
      { answers: 'contractRun.history', value: history },
      { press: 'main header button:visible', at: 3 },
      { wait: '#run-answers-over-time' },
    ],
  },
];

/** The room counts what is in it when it is entered, and when a tab is chosen. */
const chosen: MethodName[] = ['builtIn.choices', 'builtIn.counts', 'builtIn.counts'];
const builtInServer: Scene[] = [
  { name: 'built-in-behaviour', state: { ...atWork, behaviour: misbehaving }, asks: chosen, steps: tab(0) },
  { name: 'built-in-people', state: atWork, asks: [...chosen, 'builtIn.accounts'], steps: tab(1) },
  { name: 'built-in-sessions', state: atWork, asks: [...chosen, 'builtIn.sessions'], steps: tab(2) },
  { name: 'built-in-clock-ahead', state: { ...atWork, clockAheadMs: 31 * 86_400_000 + 3_600_000 }, steps: tab(2) },
  {
    name: 'built-in-requests',
    state: atWork,
    asks: [...chosen, 'builtIn.requests', 'builtIn.clientReport'],
    steps: tab(3),
  },
  { name: 'built-in-data', state: atWork, asks: [...chosen, 'builtIn.data'], steps: tab(4) },
];

const settings: Scene[] = [
  {
    name: 'settings',
    state: atWork,
    asks: ['storage.overview', 'calls.limits', 'app.about'],
    steps: go('settings'),
  },
  {
    name: 'settings-simple',
    state: atWork,
    ...simple,
    steps: [{ key: 'ControlOrMeta+,' }, { wait: '[data-section=storage] button' }],
    thenOpens: '[data-section] button[aria-expanded]',
    thenIn: vaults,
  },
  {
    name: 'settings-updates',
    state: { ...atWork, updates: { state: 'available', update: announced } },
    steps: [...go('settings'), { press: 'main nav button', at: 7 }, { wait: '[data-section=updates] section' }],
  },
  {
    name: 'settings-updates-simple',
    ...simple,
    state: { ...atWork, updates: { state: 'failed', at: '2026-11-22T10:00:00.000Z', problem: 'damaged' } },
    steps: [{ key: 'ControlOrMeta+,' }, { press: 'main nav button', at: 7 }],
  },
  {
    name: 'update-chip',
    ...simple,
    state: { ...atWork, updates: { state: 'available', update: { ...announced, by: 'system' } } },
    steps: [{ press: 'footer [data-tone=info]' }, { wait: '[role=dialog]' }],
  },
  { name: 'locked', state: atWork, lock: {} },
];

/** The scenes whose way needs no code, by their rooms. */
export const scenesOf = {
  session: accountScenes,
  shell,
  calls,
  'contract-run': contract,
  'built-in-server': builtInServer,
  servers: [...serverScenes, ...sessionScenes],
  'lock-and-storage': settings,
} satisfies Record<string, readonly Scene[]>;

/** Those of all rooms. Pictures are taken of them. */
export const scenes: readonly Scene[] = Object.values(scenesOf).flat();
