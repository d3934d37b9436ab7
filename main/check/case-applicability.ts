import type { CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
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

export const isAboutRegistration = (id: CaseId): boolean =>
  id.startsWith('registration.') || id === 'races.registration';

/** Why a case does not apply to an API type; undefined if it does. */
export function reasonNotApplicable(id: CaseId, adapter: ApiAdapter): NotMeasured | undefined {
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
