import { atWork, simple, type Scene, type Step } from '../scene.ts';
import { endingSessions } from '../states.ts';

const ending = { ...atWork, sessions: endingSessions };
const openSessions: Step[] = [
  { press: 'header [aria-haspopup=menu]' },
  { press: '[role=menuitem]:has([class*=count])' },
];
const leave: Step = { press: 'main header button:last-child' };

/** What is held of all accounts. */
export const sessionScenes: readonly Scene[] = [
  {
    name: 'sessions',
    isScreen: true,
    state: atWork,
    asks: [],
    steps: openSessions,
  },
  { name: 'sessions-ending', state: ending, steps: openSessions },
  {
    name: 'sessions-checking',
    state: atWork,
    steps: [
      ...openSessions,
      { holds: 'sessions.check' },
      { press: 'main [aria-haspopup=menu]' },
      { wait: '[role=menuitem]' },
      { press: '[role=menuitem]' },
      { wait: 'main output button' },
    ],
  },
  {
    name: 'sessions-simple',
    state: atWork,
    ...simple,
    steps: openSessions,
    thenOpens: '[data-line] [aria-haspopup=menu]',
  },
  { name: 'sessions-ending-simple', state: ending, ...simple, steps: openSessions },
  {
    name: 'sessions-leave',
    state: ending,
    steps: [...openSessions, leave, { wait: '[role=dialog] [data-autofocus]' }],
  },
  {
    name: 'sessions-left',
    state: ending,
    steps: [
      ...openSessions,
      leave,
      { press: '[role=dialog] button', at: 1 },
      { changes: { session: { step: 'signed-out' }, sessions: endingSessions.slice(3) } },
      { wait: 'main ~ div output:not(:empty)' },
    ],
  },
  {
    name: 'sessions-again',
    isScreen: true,
    state: ending,
    steps: [
      ...openSessions,
      { press: 'main [aria-haspopup=menu]' },
      { press: '[role=menuitem]' },
      { wait: '[role=dialog] input[type=password]' },
      { type: '[role=dialog] input[type=password]', text: 'correct horse' },
      {
        fails: 'sessions.logInAgain',
        error: { kind: 'unauthenticated', message: 'These credentials do not match our records.' },
      },
      { press: '[role=dialog] button[type=submit]' },
      { wait: '[role=dialog] [role=alert]' },
    ],
  },
];
