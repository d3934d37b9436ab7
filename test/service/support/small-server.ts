import { answer, type RecordedRequest, type Respond } from '../../support/recording-server.ts';

export const isPath = ({ target }: RecordedRequest, name: string): boolean => target === `/api/v1/auth/${name}`;

export const bearerOf = ({ headers }: RecordedRequest): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1].replace(/^bearer /i, '');

type Rules = {
  /** Returns what an address is found by. */
  keyOf: (email: string) => string;
  /** Whether an email that is taken is taken again. Either password works then. */
  takesTwice: boolean;
  /** Returns the part of a password that is looked at. */
  looksAt: (password: string) => string;
  isWeak: (password: string) => boolean;
  /** The status and message of a refused login, by whether the email is known. */
  refusal: (isKnown: boolean) => [status: number, message: string];
  /** Returns the email whose profile is answered. */
  shownTo: (email: string, all: readonly string[]) => string;
  /** Returns a new token for an account. */
  newToken: (email: string) => string;
  /** Returns whose a token is. `given` has those that were given and not logged out. */
  ownerOf: (token: string, given: ReadonlyMap<string, string>) => string | undefined;
  /** Whether a login ends the tokens before it. */
  oneToken: boolean;
  /** Returns what a registration answers. */
  made: () => object;
  /** Returns headers that are added to every answer. */
  headers: (request: RecordedRequest) => Record<string, string>;
  /** Answers in the place of all else. */
  override: (request: RecordedRequest) => string | undefined;
};

/** Makes a server of the interface without faults, but for the rules that a test replaces. */
export function smallServer(changes: Partial<Rules> = {}): Respond {
  const rules: Rules = {
    keyOf: (email) => email.trim().toLowerCase(),
    takesTwice: false,
    looksAt: (password) => password,
    isWeak: (password) => password.length < 8 || password === 'password123',
    refusal: () => [401, 'These credentials are wrong.'],
    shownTo: (email) => email,
    newToken: () => `${crypto.getRandomValues(new Uint16Array(1))[0]}|${crypto.randomUUID()}${crypto.randomUUID()}`,
    ownerOf: (token, given) => given.get(token),
    oneToken: false,
    made: () => ({ message: 'Made.' }),
    headers: () => ({}),
    override: () => undefined,
    ...changes,
  };
  const accounts = new Map<string, string[]>();
  const tokens = new Map<string, string>();

  const operations: Record<string, (request: RecordedRequest) => [status: number, body: object]> = {
    'POST registro': register,
    'POST register': register,
    'POST login': ({ body }) => {
      if (!body.endsWith('}')) return [400, { message: 'This is no JSON.' }];
      const { email, password } = JSON.parse(body) as Record<string, unknown>;
      if (typeof email !== 'string' || typeof password !== 'string') return [422, { message: 'Something is wrong.' }];
      if (!accounts.get(rules.keyOf(email))?.includes(rules.looksAt(password))) {
        const [status, message] = rules.refusal(accounts.has(rules.keyOf(email)));
        return [status, { message }];
      }
      if (rules.oneToken) for (const [token, owner] of tokens) if (owner === rules.keyOf(email)) tokens.delete(token);
      const token = rules.newToken(rules.keyOf(email));
      tokens.set(token, rules.keyOf(email));
      return [200, { token }];
    },
    'GET perfil': (request) => {
      const email = rules.ownerOf(bearerOf(request) ?? '', tokens);
      return email === undefined
        ? [401, { message: 'Unauthenticated.' }]
        : [200, { id: 1, email: rules.shownTo(email, [...accounts.keys()]) }];
    },
    'POST salir': (request) =>
      tokens.delete(bearerOf(request) ?? '') ? [200, { message: 'Bye.' }] : [401, { message: 'Unauthenticated.' }],
  };

  function register(request: RecordedRequest): [number, object] {
    const { name, email, password, cpassword } = JSON.parse(request.body) as Record<string, unknown>;
    const texts = [name, email, password].every((each) => typeof each === 'string' && each !== '' && each.length < 200);
    const differs = isPath(request, 'register') && cpassword !== password;
    if (!texts || differs || !String(email).includes('@') || rules.isWeak(String(password)))
      return [422, { message: 'Something is wrong.' }];
    const passwords = accounts.get(rules.keyOf(String(email))) ?? [];
    if (passwords.length > 0 && !rules.takesTwice) return [422, { message: 'The email is taken.' }];
    accounts.set(rules.keyOf(String(email)), [...passwords, rules.looksAt(String(password))]);
    return [201, rules.made()];
  }

  return (request) => {
    const replaced = rules.override(request);
    if (replaced !== undefined) return replaced;
    const [, name = ''] = /^\/api\/v1\/auth\/(\w+)$/.exec(request.target) ?? [];
    const operation = operations[`${request.method} ${name}`];
    const [status, body] = operation?.(request) ?? [404, { message: 'Nothing is here.' }];
    return answer(status, body, rules.headers(request));
  };
}
