import type { Oddity, Problem } from './model.ts';

/** What the service itself refuses, which stands where nothing was measured. */
const refusedAtRegister: Record<'name' | 'email' | 'password' | 'cpassword', readonly Oddity[]> = {
  name: ['missing', 'empty', 'other-type', 'long'],
  email: ['missing', 'empty', 'other-type', 'malformed', 'long'],
  password: ['missing', 'empty', 'other-type', 'short', 'long', 'common'],
  cpassword: ['missing', 'empty', 'other-type', 'different'],
};

/** Says whether our own service refuses this at a registration. A repeated password may be missing at `registro`. */
export const refusedByOurs = ({ field, oddity }: Problem, isRegistro: boolean): boolean =>
  !(isRegistro && field === 'cpassword' && oddity === 'missing') && refusedAtRegister[field].includes(oddity);

/** Says the same of a login. */
export const refusedByOursAtLogin = ({ field, oddity }: Problem): boolean =>
  field === 'email' ? oddity !== 'with-spaces' : oddity !== 'long';

/** The lengths of our own service. */
export const ownLengths = { nameMost: 255, emailMost: 254, passwordLeast: 8, passwordMost: 128 } as const;

/** More than anybody sends, for what has no limit. */
export const NO_LIMIT = 1_000_000;
