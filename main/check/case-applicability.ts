import type { CaseId, NotMeasured } from '../../preload/contract/report-cases.ts';
import { sessionSchemes } from '../interface/security-schemes.ts';
import { defaultInterface } from '../interface/shipped.ts';
import type { ApiAdapter } from '../interface/api-adapter.ts';

/** Whether a server has the interface of `interface.md`, to which all of its sentences apply. */
export const isDefaultInterface = ({ description }: ApiAdapter): boolean => description === defaultInterface;

/** What `interface.md` alone says. */
const ofOwnAlone: ReadonlySet<CaseId> = new Set([
  'registration.both-paths',
  'registration.cpassword-at-registro',
  'versioning.only-v1',
  'versioning.unknown-version',
]);

/** What is asked with the body of a log-in, which one by GET does not have. */
const withBodyOfLogin: ReadonlySet<CaseId> = new Set(['errors.body-not-json', 'limits.body-size']);

const isAboutLogout = (id: CaseId): boolean => id.startsWith('logout.') || id.startsWith('races.logout');

/** Whether a case makes accounts, or is about how they are made. */
export const isAboutRegistration = (id: CaseId): boolean =>
  id.startsWith('registration.') || id === 'races.registration';

/** Says why a case cannot be asked of an interface that does not have what it is about. */
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
