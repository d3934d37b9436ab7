import type { InterfaceCall } from '../../preload/contract/interface.ts';
import { isRecord, type PlainJson, type PlaceholderValues } from './template.ts';

/** A member of a body that says who somebody is: the names on the way to it, and which field of the forms it takes. */
type Member = { way: readonly string[]; takes: 'email' | 'username' };

/** By what a log-in finds an account: what registering called the email, what it called a user name, or either of them. */
export type LoginBy = 'email' | 'username' | 'either';

const namesMail = ({ way }: Member): boolean => /mail|correo/i.test(way.at(-1) ?? '');

function membersOf(template: PlainJson | undefined, way: readonly string[] = []): Member[] {
  if (template === '{{email}}') return [{ way, takes: 'email' }];
  if (template === '{{username}}') return [{ way, takes: 'username' }];
  return isRecord(template) ? Object.entries(template).flatMap(([name, each]) => membersOf(each, [...way, name])) : [];
}

const at = (body: PlainJson, way: readonly string[]): PlainJson | undefined =>
  way.reduce<PlainJson | undefined>(
    (value, name) => (isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    body,
  );

/**
 * Which members of the bodies of an interface hold an email, and which a user name. A description that was made of a
 * command fills both in with the email: the name of the member then tells which it is, and a log-in looks for what a
 * registration has under the same name.
 */
export class Identifiers {
  readonly #login: readonly Member[];
  /** Absent where accounts are known by their email alone. */
  readonly #username: Member | undefined;
  readonly #email: Member | undefined;
  readonly loginBy: LoginBy;

  constructor(calls: { registration: InterfaceCall | undefined; login: InterfaceCall | undefined }) {
    const members = membersOf(calls.registration?.body);
    this.#login = membersOf(calls.login?.body);
    const [mail] = members.filter((each) => each.takes === 'email').toSorted((a, b) => +namesMail(b) - +namesMail(a));
    this.#username =
      members.find(({ takes }) => takes === 'username') ??
      (mail && namesMail(mail) ? members.find((each) => each !== mail) : undefined);
    this.#email = mail;
    this.loginBy = this.#loginBy();
  }

  #loginBy(): LoginBy {
    const username = this.#username;
    const [first, ...more] = this.#login;
    if (!first || !username) return 'email';
    if (more.length > 0) return 'either';
    if (first.takes === 'username' || first.way.at(-1) === username.way.at(-1)) return 'username';
    return namesMail(first) ? 'email' : 'either';
  }

  /** Whether registering takes a user name. */
  get hasUsername(): boolean {
    return this.#username !== undefined;
  }

  /** Whether registering takes an email. */
  get hasEmail(): boolean {
    return this.#email !== undefined;
  }

  /** The user name of somebody whom these fields of the forms register, as the interface sends it. */
  usernameOf({ email, username }: Readonly<Record<string, unknown>>): string | undefined {
    if (!this.#username) return undefined;
    const sent = this.#username.takes === 'username' ? (username ?? localPart(email)) : email;
    return typeof sent === 'string' ? sent : undefined;
  }

  /** Puts a user name into the body of a registration that has the email in its place. */
  withUsername(body: PlaceholderValues, username: PlainJson | undefined): PlaceholderValues {
    const [name, ...way] = this.#username?.takes === 'email' ? this.#username.way : [];
    return name === undefined || username === undefined
      ? body
      : { ...body, [name]: replaced(body[name], way, username) };
  }

  /** What a body says of who registers, by the names of the fields of the forms. */
  inRegistration(body: PlainJson): { email?: PlainJson; username?: PlainJson } {
    if (!this.#username) return {};
    const username = at(body, this.#username.way);
    const email = this.#email ? at(body, this.#email.way) : username;
    return { ...(email !== undefined && { email }), ...(username !== undefined && { username }) };
  }

  /** The fields of a log-in, of which `email` is what its body says of who logs in. */
  inLogin(fields: Readonly<Record<string, PlainJson>>, body: PlainJson): Record<string, PlainJson> {
    if (!this.#username) return fields;
    const { email: _email, username: _username, ...others } = fields;
    const [found] = this.#login.flatMap(({ way }) => at(body, way) ?? []);
    return found === undefined ? others : { ...others, email: found };
  }
}

function replaced(body: PlainJson | undefined, [name, ...way]: readonly string[], value: PlainJson): PlainJson {
  if (name === undefined) return value;
  const members = isRecord(body) ? body : {};
  return { ...members, [name]: replaced(members[name], way, value) };
}

const localPart = (email: unknown): string | undefined =>
  typeof email === 'string' ? email.split('@', 1)[0] : undefined;
