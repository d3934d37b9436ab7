import type { CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
import { listAccountCalls, type AccountCall } from '../interface/account-calls.ts';
import { sessionSchemes } from '../interface/security-schemes.ts';
import { defaultInterface } from '../interface/shipped.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';

/** All sentences of `interface.md` apply to its own API type only. */
export const isDefaultInterface = ({ description }: ApiAdapter): boolean => description === defaultInterface;

/** About sentences of `interface.md` alone. */
const ofOwnAlone: ReadonlySet<CaseId> = new Set([
  'registration.both-paths',
  'registration.cpassword-at-registro',
  'versioning.only-v1',
  'versioning.unknown-version',
]);

/** These send a body, which a login by GET does not have. */
const withBodyOfLogin: ReadonlySet<CaseId> = new Set(['errors.body-not-json', 'limits.body-size']);

const isAboutLogout = (id: CaseId): boolean => id.startsWith('logout.') || id.startsWith('races.logout');

/** The call of an API type that a case is about, where `interface.md` has none such; `code` is any of a second factor. */
const accountCallOf: Partial<Record<CaseId, AccountCall>> = {
  'second-factor.repeated-recovery-code': 'code.recovery',
  'forgot-password.told-apart': 'forgotPassword',
  'resend-confirmation.told-apart': 'resendConfirmation',
};
const accountCallOfGroup: Readonly<Record<string, AccountCall>> = {
  'second-factor': 'code.totp',
  password: 'changePassword',
  deletion: 'deleteAccount',
};

/** Without a value that a pending login gives, there is nothing to use too early or twice. */
const aboutPendingLogin: ReadonlySet<CaseId> = new Set([
  'second-factor.pending-login',
  'second-factor.repeated-pending-login',
]);

function neededAccountCall(id: CaseId): AccountCall | undefined {
  return accountCallOf[id] ?? accountCallOfGroup[id.split('.', 1)[0] ?? ''];
}

/** True for a test of second factors, changed passwords and deleted accounts. */
export const isAboutAccount = (id: CaseId): boolean => neededAccountCall(id) !== undefined;

/** True if an API type has at least one account call. Otherwise a check leaves those tests out. */
export const hasAccountCalls = ({ description }: ApiAdapter): boolean => listAccountCalls(description).length > 0;

export const isAboutRegistration = (id: CaseId): boolean =>
  id.startsWith('registration.') || id === 'races.registration';

/** Why a case does not apply to an API type; undefined if it does. */
export function reasonNotApplicable(id: CaseId, adapter: ApiAdapter): NotMeasured | undefined {
  const needed = neededAccountCall(id);
  if (needed) {
    const hasNoPending = aboutPendingLogin.has(id) && adapter.secondFactor.repeatsPassword('totp');
    return adapter.hasAccountCall(needed) && !hasNoPending ? undefined : { kind: 'not-described' };
  }
  if (isDefaultInterface(adapter)) return undefined;
  const { features } = adapter;
  const [registration] = features.registrations;
  const isThere =
    !ofOwnAlone.has(id) &&
    (features.logout || !isAboutLogout(id)) &&
    (adapter.encodingOf('login') !== 'query' || !withBodyOfLogin.has(id)) &&
    (registration !== undefined || !isAboutRegistration(id)) &&
    (features.fields.has('cpassword') || id !== 'registration.cpassword-at-register') &&
    (sessionSchemes(adapter.description)[0]?.type === 'http' || id !== 'token.scheme-case');
  if (!isThere) return { kind: 'not-described' };
  const hasNoTypes = registration !== undefined && adapter.encodingOf(registration) === 'form';
  return id === 'registration.other-type' && hasNoTypes ? { kind: 'no-types' } : undefined;
}
