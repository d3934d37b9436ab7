import type { MockServerInfo } from '../../../../preload/contract/local-servers.ts';
import type { FoundInterface } from '../../../../preload/contract/interface.ts';
import type { AppState, Server } from '../../../../preload/contract/models.ts';
import type { Trial } from '../../../../preload/contract/trial.ts';
import { firstStart, longHosts, production, connectionReport, staging, stagingMock } from '../states.ts';
import { atWork, go, simple, type Scene, type Step } from '../scene.ts';

/** The offer stands below the form, so that it is scrolled to. */
const toMakeMock: Step[] = [...go('servers'), { press: 'main [role=option]', at: 1 }, { press: 'main section > h3' }];
const openInterface: Step[] = [
  ...go('servers'),
  { press: 'main [role=option]', at: 1 },
  { press: 'main form summary' },
];
const toPaste: Step = { press: 'main form details[open] button:has(svg)' };
/** A log-in as a browser copies it, with a key that goes nowhere. */
export const sanctumCommand = `curl 'https://staging.shop.example.test/api/sanctum/token' \\
  -H 'Accept: application/json' -H 'X-Api-Key: q8Kz7bW2q8Kz7bW2' \\
  --data-raw '{"email":"lucia@example.test","password":"no secret","device_name":"web"}'`;
const login = `--json '{"email":"lucia@example.test","password":"no secret"}'`;
/** Two of them may be the log-in, and none is the profile. */
const unsureCommands = `curl https://staging.shop.example.test/sign-in ${login}
curl https://staging.shop.example.test/v2/sign-in ${login}`;
/** What was found in a collection with three environments, of which none is chosen for being production. */
const foundInFile: FoundInterface = {
  format: 'postman',
  address: 'https://api.libreria.example.test',
  addresses: [
    { name: 'Local', address: 'http://localhost:8000', production: false },
    { name: 'Staging', address: 'https://api.libreria.example.test', production: false },
    { name: 'Production', address: 'https://api.libreria.example', production: true },
  ],
  draft: {
    name: 'api.libreria.example.test',
    prefix: '/v2',
    encoding: 'json',
    calls: {
      register: { method: 'POST', path: '/users', body: { email: '{{email}}', password: '{{password}}' } },
      login: {
        method: 'POST',
        path: '/session/login',
        body: { username: '{{email}}', password: '{{password}}', device: 'web' },
      },
      profile: { method: 'GET', path: '/users/me' },
      refresh: { method: 'POST', path: '/session/renew', body: { refresh: '{{refreshToken}}' } },
    },
    headers: { 'X-Client': '{{client}}' },
    security: { type: 'http', scheme: 'Bearer' },
    outputs: { token: '$response.body#/auth/access', refreshToken: '$response.body#/auth/refresh' },
    unauthenticated: [{ status: 401 }],
    variables: { client: {} },
  },
  parts: [
    { at: 'address', is: 'guess', why: 'environments', detail: 'Local, Production' },
    { at: 'calls.login', is: 'sure' },
    { at: 'outputs.token', is: 'sure' },
    { at: 'security', is: 'guess', why: 'usual' },
    { at: 'calls.profile', is: 'sure' },
    { at: 'calls.register', is: 'sure' },
    { at: 'calls.logout', is: 'missing', why: 'not-found' },
    { at: 'calls.refresh', is: 'guess', why: 'by-name' },
  ],
  others: { refresh: [{ call: { method: 'POST', path: '/session/again' }, from: 'Again' }] },
  missing: [],
  shipped: [],
  possible: [],
  dropped: [],
};
const openFound: Step[] = [
  {
    answers: 'interfaces.findInFile',
    value: { finding: { kind: 'found', ...foundInFile }, name: 'libreria.postman.json' },
  },
  ...go('servers'),
  { press: 'main header button >> nth=-1' },
  { press: 'main form summary' },
  { press: 'main form details[open] button:has(svg)', at: 1 },
  { wait: 'main form li[data-is=guess] select' },
];
/** A trial of it, in which the server wants another scheme. */
const tried: Trial = {
  works: false,
  created: 'trial-2f9c@example.com',
  calls: [
    { call: 'register', method: 'POST', path: '/v2/users', status: 201, ms: 163, callId: 'c1' },
    { call: 'login', method: 'POST', path: '/v2/session/login', status: 200, ms: 148, callId: 'c2' },
    {
      call: 'profile',
      method: 'GET',
      path: '/v2/users/me',
      status: 401,
      ms: 41,
      error: { kind: 'unexpected', reason: 'fresh-token-refused', status: 401 },
    },
  ],
  proposals: [
    { at: 'security', value: 'JWT', evidence: 'WWW-Authenticate: JWT', text: JSON.stringify(foundInFile.draft) },
  ],
};
const openMock: Step[] = [...go('servers'), { press: 'main [role=option]', at: 2 }, { wait: 'main details' }];
function withMock(differently: Partial<MockServerInfo> = {}): Partial<AppState> {
  const isRunning = differently.run === undefined || differently.run.state === 'running';
  const mockServer: Server = {
    ...stagingMock,
    baseUrl: isRunning ? stagingMock.baseUrl : '',
    mock: { ...stagingMock.mock, ...differently },
  };
  return { ...atWork, servers: [...firstStart.servers, staging, mockServer, production] };
}
/** The list of servers and each of its pages, mock servers among them. */
export const serverScenes: Scene[] = [
  { name: 'servers', isScreen: true, state: atWork, asks: ['checks.state'], steps: go('servers') },
  // A tooltip says the whole address.
  { name: 'servers-simple', state: atWork, ...simple, technical: 'main [title^=http]', steps: [{ key: 'Alt+5' }] },
  {
    name: 'servers-long-hosts',
    isScreen: true,
    state: { ...atWork, servers: [...firstStart.servers, longHosts], activeServerId: longHosts.id },
    steps: [...go('servers'), { press: 'main [role=option]', at: 1 }],
  },
  { name: 'servers-mock', state: withMock(), steps: openMock },
  {
    name: 'servers-mock-simple',
    state: withMock(),
    ...simple,
    technical: 'main [title^=http]',
    steps: [{ key: 'Alt+5' }, { press: 'main [role=option]', at: 2 }, { wait: 'main form' }],
  },
  {
    name: 'servers-mock-differs',
    state: withMock({ verification: { state: 'compared', cases: 61, differences: 3 }, clockAheadMs: 3_600_000 }),
    // The list of what differs comes with the details, before the fold that is opened.
    steps: [...openMock, { wait: 'main details li >> nth=0' }, { press: 'main summary', at: 2 }],
  },
  {
    name: 'servers-mock-stopped',
    state: withMock({ run: { state: 'stopped' }, verification: { state: 'from-file' } }),
    steps: openMock,
  },
  {
    name: 'servers-mock-compares',
    state: withMock({ verification: { state: 'running', casesDone: 21, casesPlanned: 64 } }),
    steps: openMock,
  },
  {
    name: 'servers-make-mock',
    state: {
      ...withMock(),
      mockCreation: {
        serverId: staging.id,
        work: { step: 'measuring', casesDone: 12, casesPlanned: 64, secondsLeft: 31 },
      },
    },
    steps: toMakeMock,
  },
  {
    name: 'servers-no-mock',
    state: {
      ...atWork,
      mockCreation: {
        serverId: staging.id,
        work: { step: 'failed', error: { kind: 'mock-refused', problem: 'ended-early' } },
      },
    },
    steps: toMakeMock,
  },
  {
    name: 'servers-headers',
    isScreen: true,
    state: { ...atWork, activeServerId: production.id },
    steps: [
      ...go('servers'),
      { press: 'main [role=option]', at: 2 },
      { press: 'main form summary', at: 6 },
      { press: 'main form details[open] > div > button' },
      { fails: 'servers.edit', error: { kind: 'invalid-header', row: 3, problem: 'name-taken', name: 'Host' } },
      { type: 'main form [role=group]:last-of-type input:not([type=password])', text: 'Host' },
      { key: 'Enter' },
      { wait: 'main form [aria-invalid=true]' },
    ],
  },
  {
    name: 'servers-interface',
    isScreen: true,
    state: atWork,
    steps: [
      ...openInterface,
      { press: 'main fieldset > button' },
      { press: 'main label > input[type=radio]', at: 8 },
      { wait: 'main form li:has-text("/realms/")' },
      { press: 'main form h3' },
    ],
  },
  {
    name: 'servers-interface-text',
    state: atWork,
    steps: [
      ...openInterface,
      toPaste,
      { type: 'main form details[open] textarea', text: '{ "name": "Shop", "calls": { "login": { "path": "//x" } } }' },
      { wait: 'main form [aria-invalid=true]' },
    ],
  },
  {
    name: 'servers-file-refused',
    isScreen: true,
    state: atWork,
    steps: [
      ...go('servers'),
      {
        answers: 'servers.importFile',
        value: {
          outcome: 'refused',
          file: 'llavero.servers.json',
          fault: { problem: 'not-a-variable', at: 'servers.1.headers', name: 'X-Api-Key' },
        },
      },
      { press: 'main header button' },
      { wait: 'main [role=alert]' },
    ],
  },
  {
    name: 'servers-interface-command',
    state: atWork,
    steps: [
      ...openInterface,
      toPaste,
      { type: 'main form details[open] textarea', text: sanctumCommand },
      { wait: 'main form output svg' },
    ],
  },
  {
    name: 'servers-interface-unsure',
    isScreen: true,
    state: atWork,
    steps: [
      ...openInterface,
      toPaste,
      { type: 'main form details[open] textarea', text: unsureCommands },
      { wait: 'main form details[open] li[data-is=guess] select' },
      { choose: 'main form details[open] li select >> nth=1', value: '1' },
    ],
  },
  {
    name: 'servers-interface-possible',
    state: atWork,
    steps: [
      ...openInterface,
      toPaste,
      { type: 'main form details[open] textarea', text: `curl https://staging.shop.example.test/login ${login}` },
      { wait: 'main form output bdi' },
    ],
  },
  {
    name: 'servers-interface-fits',
    isScreen: true,
    state: atWork,
    steps: [
      ...openInterface,
      toPaste,
      { type: 'main form details[open] textarea', text: sanctumCommand },
      { wait: 'main form output svg' },
      { press: 'main form details[open] section > div:last-child button[aria-disabled=false]' },
      { press: 'main form details fieldset input' },
      { wait: 'main form li:has-text("/sanctum/token")' },
    ],
  },
  {
    name: 'servers-import',
    isScreen: true,
    state: atWork,
    steps: [...openFound, { press: 'main form li[data-is=sure] button', at: 1 }],
  },
  {
    name: 'servers-import-json',
    state: atWork,
    steps: [
      ...openFound,
      { press: 'main form section button[aria-pressed]' },
      { press: 'main form details section textarea' },
    ],
  },
  {
    name: 'servers-import-tried',
    isScreen: true,
    state: atWork,
    steps: [
      ...openFound,
      { answers: 'interfaces.runTrial', value: tried },
      { choose: 'main form section section select', value: 'made-up' },
      { press: 'main form section section button[aria-busy]' },
      { wait: 'main form section section ol' },
    ],
  },
  {
    name: 'servers-tested',
    state: atWork,
    steps: [...go('servers'), { answers: 'servers.test', value: connectionReport }],
  },
];
