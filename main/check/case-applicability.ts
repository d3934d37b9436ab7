import { createHash } from 'node:crypto';
import type { Report } from '../../preload/contract/report.ts';
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

/** What a report says of the interface of its server: how it is called, what it is, and the calls as people write them. */
export function createReportInterface(adapter: ApiAdapter): NonNullable<Report['interface']> {
  const { features, description } = adapter;
  const [register] = features.registrations;
  return {
    name: description.name,
    digest: digestOf(description),
    calls: {
      ...(register && { register: adapter.formatCall(register) }),
      login: adapter.formatCall('login'),
      profile: adapter.formatCall('perfil'),
      ...(features.logout && { logout: adapter.formatCall('salir') }),
    },
  };
}

/** The SHA-256 of the canonical JSON of a description (RFC 8785, without its rules for numbers). */
const digestOf = (description: object): string => createHash('sha256').update(canonical(description)).digest('hex');

const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : inner,
  );
