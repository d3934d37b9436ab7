import type { AppState, User } from '../preload/contract/models.ts';

const email = /[^\s@<>()[\]",;:]{1,64}@[^\s@<>()[\]",;:]{1,255}/gu;

/** Returns a text in which only the first letters and the end of each email are left: `a•••@e•••.test`. */
export const maskEmails = (text: string): string =>
  text.replace(email, (found) => {
    const at = found.lastIndexOf('@');
    const domain = found.slice(at + 1);
    const dot = domain.lastIndexOf('.');
    return `${first(found)}•••@${first(domain)}•••${dot > 0 ? domain.slice(dot) : ''}`;
  });

const first = (text: string): string => Array.from(text)[0] ?? '';

const maskUser = (user: User): User => ({
  ...user,
  name: user.name && maskEmails(user.name),
  email: user.email && maskEmails(user.email),
  rest: user.rest.map((field) => (field.masked ? field : { ...field, value: maskEmails(field.value) })),
});

/**
 * Returns the state as it may be shown to others: without the emails of accounts, while the person presents. Ids stay,
 * by which the screens act.
 */
export function presentable(state: AppState): AppState {
  if (!state.settings.presenting) return state;
  const { session } = state;
  return {
    ...state,
    sessions: state.sessions.map((held) => ({
      ...held,
      account: maskEmails(held.account),
      name: held.name && maskEmails(held.name),
    })),
    session:
      session.step === 'signed-out' ? { ...session, email: undefined } : { ...session, user: maskUser(session.user) },
  };
}
