import type { ShownDouble } from '../../../preload/contract/doubles.ts';
import type { AppState, Server } from '../../../preload/contract/models.ts';
import { firstStart, longHosts, production, report, staging, stagingDouble } from './states.ts';
import { atWork, go, simple, type Scene, type Step } from './scene.ts';

/** The offer stands below the form, so that it is scrolled to. */
const toMakeDouble: Step[] = [...go('servers'), { press: 'main [role=option]', at: 1 }, { press: 'main section > h3' }];
const openDouble: Step[] = [...go('servers'), { press: 'main [role=option]', at: 2 }, { wait: 'main details' }];
function withDouble(differently: Partial<ShownDouble> = {}): Partial<AppState> {
  const isRunning = differently.run === undefined || differently.run.state === 'running';
  const double: Server = {
    ...stagingDouble,
    baseUrl: isRunning ? stagingDouble.baseUrl : '',
    double: { ...stagingDouble.double, ...differently },
  };
  return { ...atWork, servers: [...firstStart.servers, staging, double, production] };
}
/** The list of servers and each of its pages, doubles among them. */
export const serverScenes: Scene[] = [
  { name: 'servers', state: atWork, asks: [], steps: go('servers') },
  // A tooltip says the whole address.
  { name: 'servers-simple', state: atWork, ...simple, technical: 'main [title^=http]', steps: [{ key: 'Alt+5' }] },
  {
    name: 'servers-long-hosts',
    state: { ...atWork, servers: [...firstStart.servers, longHosts], activeServerId: longHosts.id },
    steps: [...go('servers'), { press: 'main [role=option]', at: 1 }],
  },
  { name: 'servers-double', state: withDouble(), steps: openDouble },
  {
    name: 'servers-double-simple',
    state: withDouble(),
    ...simple,
    technical: 'main [title^=http]',
    steps: [{ key: 'Alt+5' }, { press: 'main [role=option]', at: 2 }, { wait: 'main form' }],
  },
  {
    name: 'servers-double-differs',
    state: withDouble({ proof: { state: 'compared', cases: 61, differences: 3 }, clockAheadMs: 3_600_000 }),
    steps: [...openDouble, { press: 'main summary', at: 2 }],
  },
  {
    name: 'servers-double-stopped',
    state: withDouble({ run: { state: 'stopped' }, proof: { state: 'from-file' } }),
    steps: openDouble,
  },
  {
    name: 'servers-double-under-way',
    state: withDouble({ proof: { state: 'under-way', casesDone: 21, casesPlanned: 64 } }),
    steps: openDouble,
  },
  {
    name: 'servers-make-double',
    state: {
      ...withDouble(),
      doubleWork: {
        serverId: staging.id,
        work: { step: 'measuring', casesDone: 12, casesPlanned: 64, secondsLeft: 31 },
      },
    },
    steps: toMakeDouble,
  },
  {
    name: 'servers-no-double',
    state: {
      ...atWork,
      doubleWork: {
        serverId: staging.id,
        work: { step: 'failed', error: { kind: 'double-refused', problem: 'ended-early' } },
      },
    },
    steps: toMakeDouble,
  },
  {
    name: 'servers-headers',
    state: { ...atWork, activeServerId: production.id },
    steps: [
      ...go('servers'),
      { press: 'main [role=option]', at: 2 },
      { press: 'main form summary', at: 5 },
      { press: 'main form details[open] > div > button' },
      { fails: 'servers.edit', error: { kind: 'invalid-header', row: 3, problem: 'name-taken', name: 'Host' } },
      { type: 'main form [role=group]:last-of-type input:not([type=password])', text: 'Host' },
      { key: 'Enter' },
      { wait: 'main form [aria-invalid=true]' },
    ],
  },
  {
    name: 'servers-tested',
    state: atWork,
    steps: [...go('servers'), { answers: 'servers.test', value: report }],
  },
];
