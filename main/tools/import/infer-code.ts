import type { InterfaceCall, InterfaceDescription } from '../../../preload/contract/interface.ts';
import type { DescriptionDraft } from './description-draft.ts';
import type { BodyMember, ImportedRequest } from './imported-request.ts';
import { leavesOf } from './infer-body.ts';

/** As apps and emails give them (RFC 4226, 5.3), or a variable in the place of one. */
const isCode = ({ value }: BodyMember): boolean =>
  (typeof value === 'number' || typeof value === 'string') &&
  /^(?:\d{6,8}|\$\{?\w+\}?|\{\{.+\}\}|<.+>)$/.test(String(value));

/** The member of a login that has a code beside the password, as Directus and Keycloak take it; undefined if there is none. */
function codeMemberOf(login: ImportedRequest): string | undefined {
  const leaves = leavesOf(login.body);
  const code = leaves.find(({ means, path, member }) => means === 'code' && path.length === 1 && isCode(member));
  return leaves.some(({ means }) => means === 'password') ? code?.member.name : undefined;
}

/** A login without its code: the first login sends none. */
export function withoutCode(login: ImportedRequest): ImportedRequest {
  const name = codeMemberOf(login);
  return name === undefined ? login : { ...login, body: login.body?.filter((member) => member.name !== name) };
}

/**
 * The second factor of a login that has a code: the same call with it. No request tells how the server asks for it, so the
 * login form offers a field.
 * @param call the login without the code
 */
export function inferSecondFactor(
  login: ImportedRequest | undefined,
  call: InterfaceCall | undefined,
  draft: DescriptionDraft,
): InterfaceDescription['secondFactor'] {
  const name = login && codeMemberOf(login);
  if (name === undefined || !call) return undefined;
  draft.guess('secondFactor', 'by-name', name);
  const { method, path, encoding, body } = call;
  const sent = encoding === 'query' ? undefined : encoding;
  const totp = { method, path, ...(sent && { encoding: sent }), body: { ...body, [name]: '{{code}}' } };
  return { outputs: {}, cookies: [], totp };
}
