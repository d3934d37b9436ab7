import { MantineProvider } from '@mantine/core';
import { renderToStaticMarkup } from 'react-dom/server';
import type { AppState, Language, Server } from '../preload/contract/models.ts';
import { languageNames } from '../preload/contract/language-names.ts';
import { startI18n } from './i18n.ts';
import { Shell } from './shell/shell.tsx';
import { takeAppState } from './api.ts';
import { TextsProvider } from './texts.tsx';
import { cssVariables, theme } from './theme.ts';

/** Main puts what it knows in the place of these names (`main/windows/first-frame.ts`). */
const elsewhere = { id: 'elsewhere', builtIn: false, name: '__NAME__', baseUrl: 'https://__HOST__/__PATH__' };
const servers = {
  'built-in': { id: 'built-in', builtIn: true, name: '', baseUrl: '' },
  elsewhere,
  // A name that begins with its host stands alone.
  'elsewhere-by-host': { ...elsewhere, name: '__HOST____NAME__' },
};

const plain: Omit<Server, 'id' | 'builtIn' | 'name' | 'baseUrl'> = {
  // The nine colours differ in one attribute.
  colour: 'gray',
  notes: '',
  registrationPath: 'registro',
  production: false,
  pinned: {},
  learned: {},
  pins: [],
  connection: {
    proxy: { mode: 'system' },
    limits: { connectSeconds: 10, firstByteSeconds: 20, totalSeconds: 30 },
  },
  secrets: [],
  extraHeaders: [],
};

/** A state is taken when it is newer than the one before. */
let revision = 0;

/** What main says first of a person who is not logged in. */
const stateOf = (language: Language, server: Pick<Server, 'id' | 'builtIn' | 'name' | 'baseUrl'>): AppState => ({
  revision: (revision += 1),
  version: '__VERSION__',
  electron: { version: '', thirdParty: false },
  settings: {
    language,
    theme: 'system',
    lockAfterMinutes: 0,
    lockOnScreenLock: false,
    lockOnSleep: false,
    clearOnQuit: false,
    callsPerSecond: 5,
    workbench: false,
    welcomed: true,
    notifications: false,
    presenting: false,
    lookForUpdates: true,
  },
  locked: false,
  pin: false,
  screenReader: false,
  language,
  servers: [{ ...plain, ...server }],
  activeServerId: server.id,
  sessions: [],
  builtIn: { state: 'starting' },
  vault: { state: 'asking' },
  watches: [],
  updates: { state: 'off', why: 'not-configured' },
  behaviour: { isOn: false, dialect: null, wrong: [], faults: [], left: [], seed: 1 },
  clockAheadMs: 0,
  files: [],
  session: { step: 'signed-out', email: '__EMAIL__' },
});

/**
 * Makes the markup of the log-in form's first frame, in each language and for each kind of server, out of the components
 * that replace it. The build calls it (`scripts/first-frames.mjs`).
 */
export async function firstFrames(finish: (markup: string) => string): Promise<Record<string, Record<string, string>>> {
  const frames: Record<string, Record<string, string>> = {};
  for (const [language] of languageNames) {
    const i18n = await startI18n(language);
    const kinds: Record<string, string> = {};
    for (const [kind, server] of Object.entries(servers)) {
      const state = stateOf(language, server);
      takeAppState(state);
      const markup = renderToStaticMarkup(
        <TextsProvider i18n={i18n}>
          <MantineProvider theme={theme} cssVariablesResolver={cssVariables} getStyleNonce={() => '__CSP_NONCE__'}>
            <Shell state={state} />
          </MantineProvider>
        </TextsProvider>,
      );
      // The person begins to type at once.
      kinds[kind] = finish(markup.replace('autoComplete="username"', 'autocomplete="username" autofocus'));
    }
    frames[language] = kinds;
  }
  return frames;
}
