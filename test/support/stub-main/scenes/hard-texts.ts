import type { SessionInfo, Server, AuthState, UserProfile } from '../../../../preload/contract/models.ts';
import { sentRows, textRow } from '../../sent-rows.ts';
import type { Scene, Step } from '../scene.ts';
import { anaProfile, firstStart, heldSessions, production, signedIn, staging } from '../states.ts';

/** It would be run, or would draw in other colours, if it were taken for more than a text. */
const markup = '<img src=x onerror="ran=1"><script>ran=1</script>\u001B[31mred\u001B[0m\u0000';
const backwards = 'שלום עולם \u202Eevil\u202C Z̷̢̛a̵̡l̴̢g̶o̷ 👩‍👩‍👧‍👦🏳️‍🌈';
const longWords = 'Ana '.repeat(500).trim();
const oneWord = 'A'.repeat(2000);

const withUser = (user: UserProfile, more: Partial<typeof signedIn> = {}): AuthState => ({
  ...signedIn,
  user,
  ...more,
});
const account = (name: string, session: AuthState): Scene => ({ name, state: { session, sessions: heldSessions } });

const fields = Array.from({ length: 300 }, (_, n) => textRow(`field ${n} ${'x'.repeat(n)}`, 'v'.repeat(n)));
const levels = sentRows(`{"__proto__":${'{"constructor":'.repeat(10)}1${'}'.repeat(10)},"":[]}`);
/** Each press unfolds what the one before has shown. */
const unfolded = Array.from({ length: 10 }, () => ({ press: 'main button[aria-expanded=false]' }));

const names = [longWords, oneWord, backwards, markup, '\u200B', '   '];
/** Llavero takes no longer name of a server, and none of spaces alone. */
const strangeServer = (name: string, index: number): Server => ({
  ...(index % 2 === 0 ? staging : production),
  id: `strange-${index}`,
  name: name.slice(0, 100),
});
const strangeServers = names.slice(0, 5).map(strangeServer);
const manyServers: Server[] = Array.from({ length: 40 }, (_, index) => ({
  ...staging,
  id: `many-${index}`,
  name: `${'A very long name of a server '.repeat(4)}${index}`,
  baseUrl: `https://${'sub.'.repeat(index)}example.test`,
  production: index % 7 === 0,
}));
const strangeSessions: SessionInfo[] = names.map((name, index) => ({
  id: `strange-${index}`,
  serverId: 'strange-1',
  account: index === 0 ? '' : `${name.slice(0, 300)}@example.test`,
  name,
  baseUrl: production.baseUrl,
  isDemo: false,
  state: 'usable',
}));
const atStrange = {
  servers: [...firstStart.servers, ...strangeServers],
  activeServerId: 'strange-1',
  session: signedIn,
  sessions: strangeSessions,
};
const openMenu = [{ press: 'header [aria-haspopup=listbox]' }, { wait: '[role=listbox]' }];
const go = (name: string) => [{ press: `[data-page="${name}"]` }];
const refused = (text: string): Step[] => [
  { type: 'input[name=email]', text: 'ana@example.test' },
  { type: 'input[name=password]', text: 'correct horse battery' },
  { fails: 'session.login', error: { kind: 'unauthenticated', message: text } },
  { press: 'main button[type=submit]' },
  { wait: '[role=alert]' },
];
const wrong = ['name', 'email', 'password'];

/** What a server or a person may have written, and that is hard to show. Each is shown whole, and nothing of it is run. */
export const hardScenes: readonly Scene[] = [
  account('hard-name', withUser({ ...anaProfile, name: longWords })),
  account('hard-name-of-one-word', withUser({ ...anaProfile, name: oneWord, email: `${'e'.repeat(600)}@x.test` })),
  account('hard-name-backwards', withUser({ ...anaProfile, name: backwards })),
  account('hard-name-markup', withUser({ ...anaProfile, name: markup, rest: sentRows({ [markup]: markup }) })),
  account('hard-name-unseen', withUser({ ...anaProfile, name: '\u200B\u3164\u2800' })),
  account('hard-name-empty', withUser({ name: '', email: '', rest: [] })),
  account('hard-profile-empty', withUser({ rest: [] })),
  account('hard-fields', withUser({ ...anaProfile, rest: fields })),
  { ...account('hard-levels', withUser({ ...anaProfile, rest: levels })), steps: unfolded },
  { name: 'hard-refusal', steps: refused(`${markup} ${backwards} ${longWords}`) },
  {
    name: 'hard-refusal-of-fields',
    steps: [
      { press: 'main a[href]' },
      ...wrong.map((name) => ({ type: `input[name=${name}]`, text: 'a b c' })),
      {
        fails: 'session.register',
        error: {
          kind: 'validation',
          message: markup,
          fields: { email: [markup, backwards, oneWord], password: Array.from({ length: 20 }, () => 'Too short.') },
          form: [longWords],
        },
      },
      { press: 'main button[type=submit]' },
      { wait: '[aria-invalid=true]' },
      // A worker gives the advice on the password.
      { wait: 'main form i[data-on=true]' },
    ],
  },
  { name: 'hard-servers', state: { servers: [...firstStart.servers, ...manyServers] }, steps: go('servers') },
  {
    name: 'hard-servers-menu',
    state: { servers: [...firstStart.servers, ...manyServers], activeServerId: 'many-7' },
    steps: openMenu,
  },
  { name: 'hard-server-names', state: atStrange, steps: go('servers') },
  { name: 'hard-server-names-menu', state: atStrange, steps: openMenu },
  {
    name: 'hard-sessions',
    state: atStrange,
    steps: [{ press: 'header [aria-haspopup=menu]' }, { press: '[role=menuitem]:has([class*=count])' }],
  },
  {
    name: 'hard-accounts-menu',
    state: atStrange,
    steps: [{ press: 'header [aria-haspopup=menu]' }, { wait: '[role=menu]' }],
  },
  { name: 'hard-login', state: { ...atStrange, session: { step: 'signed-out' } } },
  { name: 'hard-palette', state: atStrange, steps: [{ key: 'ControlOrMeta+k' }, { wait: '[role=dialog] input' }] },
  { name: 'hard-run', state: atStrange, steps: [...go('checks'), { press: 'main section section button' }] },
];
