import {
  codeMethods,
  type SecondFactorCall,
  type CodeMethod,
  type InterfaceDescription,
  type ResponseCriterion,
} from '../../preload/contract/interface.ts';
import { maxAgeOf, updateCookieJar, type NamedCookie } from './cookies.ts';
import { evaluateOutputs, parseLoginBody, type Credential } from './credential.ts';
import { readExpression, headerIn } from './expression.ts';
import { matches } from './matching.ts';
import { expressionsIn } from './outputs.ts';
import { placeholderNames, type PlainJson } from './template.ts';

type Headers = readonly (readonly [name: string, value: string])[];
type Response = { status: number; rawHeaders: Headers; body: string };

/**
 * A login whose server asks for a code. It is no session: it is held in main's memory only, and nothing of it is stored.
 * @property credential what the response gave, for the calls with the code
 * @property methods those that the server offers, in the order of the description
 * @property expiresAt in milliseconds since 1970; absent if the server and the description do not say
 */
export type PendingLogin = { credential: Credential; methods: readonly CodeMethod[]; expiresAt?: number };

/** The response to a code: the login is complete, the code was wrong, too many were sent for now, or the login has ended. */
export type CodeOutcome = 'accepted' | 'wrong' | 'rate-limited' | 'ended';

/** Where cookies come from: the host name, and whether the connection is secure. */
type CookieOrigin = Omit<Parameters<typeof updateCookieJar>[3], 'nowMs'>;

/** Reads the responses of a server with a second factor. */
export class SecondFactor {
  readonly #description: InterfaceDescription;
  readonly #origin: CookieOrigin;

  constructor(description: InterfaceDescription, origin: CookieOrigin) {
    this.#description = description;
    this.#origin = origin;
  }

  /** Whether a login asks for a code. `offered`: no response says so, so the login form has a field for it. */
  get kind(): 'none' | 'asked' | 'offered' {
    const { secondFactor } = this.#description;
    if (!secondFactor) return 'none';
    return secondFactor.when ? 'asked' : 'offered';
  }

  /** The methods of the description, in its order. */
  get methods(): readonly CodeMethod[] {
    return codeMethods.filter((method) => this.#callOf(method) !== undefined);
  }

  /** True if a code is sent with the password, as another login. */
  repeatsPassword(method: CodeMethod): boolean {
    const call = this.#callOf(method);
    return [call?.body, call?.start?.body].some((body) => placeholderNames(body).includes('password'));
  }

  /**
   * The pending login of a response that asks for a code; undefined if it does not.
   * @param before the credential that the login gave, if the profile asks
   */
  pendingLogin(
    call: 'login' | 'profile',
    response: Response,
    before: Credential = {},
    nowMs = Date.now(),
  ): PendingLogin | undefined {
    const { secondFactor } = this.#description;
    const criteria = secondFactor?.when?.filter((each) => each.call === call) ?? [];
    if (!secondFactor || criteria.length === 0) return undefined;
    const json = parseLoginBody(response.body);
    if (!criteria.some((each) => meets(each, response, json))) return undefined;
    const { token, ...outputs } = evaluateOutputs(expressionsIn(secondFactor.outputs), response, json);
    const cookies = this.#cookiesIn(response, before.cookies ?? {}, nowMs);
    const methods = this.methods.filter((method) => {
      const when = this.#callOf(method)?.when;
      return when === undefined || matches(when, json);
    });
    const lifetime = maxAgeOf(response.rawHeaders, secondFactor.cookies) ?? secondFactor.lifetime;
    return {
      credential: {
        ...before,
        ...(token !== undefined && { token }),
        outputs: { ...before.outputs, ...outputs },
        cookies,
      },
      methods,
      ...(lifetime !== undefined && { expiresAt: nowMs + lifetime * 1000 }),
    };
  }

  /** The pending login after another response: with the outputs of the call, and with its cookies. */
  pendingAfter(
    expressions: Readonly<Record<string, string>>,
    response: Response,
    pending: PendingLogin,
    nowMs = Date.now(),
  ): PendingLogin {
    const { credential } = pending;
    const outputs = evaluateOutputs(expressions, response, parseLoginBody(response.body));
    const cookies = this.#cookiesIn(response, credential.cookies ?? {}, nowMs);
    return { ...pending, credential: { ...credential, outputs: { ...credential.outputs, ...outputs }, cookies } };
  }

  /** Reads the response to a code. */
  outcomeOf(method: CodeMethod, response: Response): CodeOutcome {
    const { wrongCode, when = [] } = this.#description.secondFactor ?? {};
    const { status } = response;
    const json = parseLoginBody(response.body);
    const isOneOf = (criteria: readonly ResponseCriterion[]): boolean =>
      criteria.some((each) => meets(each, response, json));
    if (status === 429) return 'rate-limited';
    if (isOneOf(wrongCode ?? (this.repeatsPassword(method) ? when : []))) return 'wrong';
    if ((status >= 200 && status < 300) || this.#callOf(method)?.ok?.includes(status)) return 'accepted';
    const isInvalid = status === 400 || status === 422;
    return wrongCode === undefined && !this.repeatsPassword(method) && isInvalid ? 'wrong' : 'ended';
  }

  #callOf(method: CodeMethod): SecondFactorCall | undefined {
    return this.#description.secondFactor?.[method];
  }

  #cookiesIn({ rawHeaders }: Response, jar: Readonly<Record<string, string>>, nowMs: number): Record<string, string> {
    const { secondFactor, csrf } = this.#description;
    const named: NamedCookie[] = [
      ...(secondFactor?.cookies ?? []).map((pattern) => ({ of: 'session' as const, pattern })),
      ...(csrf ? [{ of: 'csrf' as const, pattern: csrf.cookie }] : []),
    ];
    return updateCookieJar(jar, rawHeaders, named, { ...this.#origin, nowMs }).cookies;
  }
}

function meets({ status, body, has }: ResponseCriterion, response: Response, json: PlainJson | undefined): boolean {
  if (status !== response.status || (body !== undefined && !matches(body, json))) return false;
  if (has === undefined) return true;
  const header = headerIn(has);
  if (header === undefined) return readExpression(has, json, response.body) !== undefined;
  return response.rawHeaders.some(([name]) => name.toLowerCase() === header.toLowerCase());
}
