import type { Locator, Page } from 'playwright-core';

/** One thing that a person who listens does, and what is on the screen then. */
export type OrcaStep = {
  does: string;
  /** What is pressed on the keyboard, one after the other. */
  keys?: readonly string[];
  /** What is typed then. */
  text?: string;
  /** What happens otherwise. */
  act?: (page: Page, hands: { press: (key: string) => Promise<void> }) => Promise<void>;
  /** What is waited for, before one listens. */
  shows?: (page: Page) => Locator;
};

/** Somebody who has begun long ago, in the Simple face. */
export const journeySettings = { welcomed: true, workbench: false };

const tab = (does: string): OrcaStep => ({ does, keys: ['Tab'] });
const heading = (name: string) => (page: Page) => page.getByRole('heading', { level: 1, name, exact: true });
const text = (part: string) => (page: Page) => page.getByText(part).first();
const strength = (says: string) => text(says);

const wrongPassword = (which: string): OrcaStep => ({
  does: `sends it a ${which} time`,
  act: async (page, { press }) => {
    await page.getByLabel('Password', { exact: true }).focus();
    const told = page.getByRole('alert');
    await press('Return');
    await told.waitFor({ state: 'detached' }).catch(() => undefined);
  },
  shows: text('Account or password not accepted.'),
});

/** The whole journey: registering with errors, the profile, too many attempts, a check, the end of the session. */
export const orcaJourney: readonly OrcaStep[] = [
  { does: 'asks Orca where the focus is', keys: ['KP_Enter'] },
  tab('Tab: the password'),
  // Right after the same key without Insert, Orca takes it for a second press, and describes the page.
  { does: 'asks Orca for the title of the window', keys: ['Insert+KP_Enter'] },
  tab('Tab: its eye'),
  tab('Tab: whether to be remembered'),
  tab('Tab: the button'),
  tab('Tab: the other form'),
  { does: 'opens the form to create an account', keys: ['Return'], shows: heading('Create account') },
  tab('Tab: the name'),
  { does: 'sends it empty', keys: ['Return'], shows: text('Enter your password.') },
  { does: 'types a name', text: 'Ana Prueba' },
  tab('Tab: the email, which is missing'),
  { does: 'types half an email', text: 'ana' },
  tab('Tab: the password, which is missing'),
  { does: 'types a weak password', text: 'short', shows: strength('Very weak.') },
  { does: 'sends what the server refuses', keys: ['Return'], shows: text('at least 8 characters') },
  { does: 'types a whole email', keys: ['ctrl+a'], text: 'ana@example.test' },
  tab('Tab: the password, which is too short'),
  { does: 'types a strong password', keys: ['ctrl+a'], text: 'correct horse battery', shows: strength('Strong.') },
  { does: 'sends what the server takes', keys: ['Return'], shows: heading('Ana Prueba') },
  { does: 'has the profile read', keys: ['KP_Add'] },
  tab('Tab: the email, which opens a letter'),
  tab('Tab: its copy'),
  tab('Tab: the way out'),
  { does: 'logs out', keys: ['Return'], shows: heading('Log in') },
  tab('Tab: the email again'),
  tab('Tab: the password again'),
  { does: 'types a wrong password', text: 'wrong password' },
  { does: 'sends the wrong password', keys: ['Return'], shows: text('Account or password not accepted.') },
  ...['second', 'third', 'fourth', 'fifth'].map(wrongPassword),
  {
    does: 'tries once too often',
    act: async (page, { press }) => {
      await page.getByLabel('Password', { exact: true }).focus();
      await press('Return');
    },
    shows: text('too many attempts'),
  },
  { does: 'waits until the end of the countdown', shows: text('You can try again now') },
  {
    does: 'goes back to the password',
    act: (page) => page.getByLabel('Password', { exact: true }).focus(),
  },
  { does: 'types the right password', keys: ['ctrl+a'], text: 'correct horse battery' },
  { does: 'logs in', keys: ['Return'], shows: heading('Ana Prueba') },
  { does: 'goes to the Workbench', keys: ['ctrl+j'], shows: (page) => page.getByRole('navigation').first() },
  { does: 'goes to the page of the contract', keys: ['ctrl+t'], shows: heading('New check') },
  {
    does: 'goes to the button that starts a run',
    act: async (page) => {
      await page.getByLabel('Maximum requests per second').fill('100');
      await page.getByRole('main').getByRole('button', { name: 'Start', exact: true }).focus();
    },
  },
  { does: 'starts the run, and hears its end', keys: ['Return'], shows: text('The run is complete') },
  { does: 'goes back to the account', keys: ['alt+1'], shows: heading('Ana Prueba') },
  {
    does: 'goes to the way out',
    act: (page) => page.getByRole('main').getByRole('button', { name: 'Log out', exact: true }).focus(),
  },
  { does: 'logs out again', keys: ['Return'], shows: heading('Log in') },
];
