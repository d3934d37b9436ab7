import { createHash, randomBytes } from 'node:crypto';

/** What a request came to, before anybody says it. */
type Outcome =
  | 'made'
  | 'taken'
  | 'invalid'
  | 'not-json'
  | 'in'
  | 'wrong-password'
  | 'unknown-email'
  | 'profile'
  | 'no-token'
  | 'bad-token'
  | 'out'
  | 'wrong-method'
  | 'nowhere';

export type StoredPerson = {
  number: number;
  uuid: string;
  name: string;
  email: string;
  password: string;
  madeAt: Date;
};

/** What an answer can be made of. */
export type Said = {
  outcome: Outcome;
  person: StoredPerson | undefined;
  token: string;
  /** The fields that are wrong, and how. */
  wrong: Record<string, string>;
  method: string;
  path: string;
  /** The first language that the request asks for. */
  language: string;
  /** How many requests there were. */
  count: number;
  asksForJson: boolean;
};

export type OddAnswer = { status: number; body?: unknown; headers?: Record<string, string> };

/** How one server says what came of a request. What it leaves out is said as the plain one says it. */
export type Way = {
  says: (said: Said) => OddAnswer | undefined;
  newToken?: (person: StoredPerson, count: number) => string;
  /** Whether it refuses blanks around an email, a repeated password that is not asked for, and a second logout alone. */
  isStrict?: boolean;
};

const statuses: Record<Outcome, number> = {
  made: 201,
  taken: 409,
  invalid: 422,
  'not-json': 400,
  in: 200,
  'wrong-password': 401,
  'unknown-email': 401,
  profile: 200,
  'no-token': 401,
  'bad-token': 401,
  out: 200,
  'wrong-method': 405,
  nowhere: 404,
};

const sentences: Record<Outcome, string> = {
  made: 'Account created.',
  taken: 'This email is already registered.',
  invalid: 'The data is invalid.',
  'not-json': 'The body is not valid JSON.',
  in: 'Welcome.',
  'wrong-password': 'Wrong email or password.',
  'unknown-email': 'Wrong email or password.',
  profile: 'Here you are.',
  'no-token': 'Authentication is required.',
  'bad-token': 'The token is not valid.',
  out: 'Goodbye.',
  'wrong-method': 'Method not allowed.',
  nowhere: 'Not found.',
};

/** Says it as nobody would call odd. */
export function plainly({ outcome, person, token, wrong }: Said): OddAnswer {
  const message = sentences[outcome];
  const user = person && { id: person.number, name: person.name, email: person.email };
  const body = {
    message,
    ...(outcome === 'invalid' && { errors: wrong }),
    ...(outcome === 'in' && { token }),
    ...(outcome === 'profile' && { user }),
  };
  return { status: statuses[outcome], body };
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&apos;');

const json = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const isRefusal = (outcome: Outcome): boolean => statuses[outcome] >= 400;

const inSpanish: Partial<Record<Outcome, string>> = {
  taken: 'Este correo ya está registrado.',
  invalid: 'Los datos no son válidos.',
  'wrong-password': 'Correo o contraseña incorrectos.',
  'unknown-email': 'Correo o contraseña incorrectos.',
  'no-token': 'Hace falta autenticarse.',
  'bad-token': 'El token no es válido.',
};

/** Servers that say what they say in odd ways, each by what is odd about it. */
export const oddWays = {
  'a tarpit: nothing is found where a password is wrong': {
    says: ({ outcome }) =>
      outcome === 'wrong-password' || outcome === 'unknown-email'
        ? { status: 404, body: { error: 'not_found' } }
        : undefined,
  },
  '200 for everything, so that words alone refuse': {
    says: (said) => {
      if (said.outcome === 'nowhere' || said.outcome === 'wrong-method') return undefined;
      const { message, token, user } = plainly(said).body as Record<string, unknown>;
      const [wrong = message] = Object.values(said.wrong);
      return { status: 200, body: { message: wrong, token, user: said.outcome === 'profile' ? user : undefined } };
    },
  },
  'a token in a header alone, with 201': {
    says: ({ outcome, token }) =>
      outcome === 'in' ? { status: 201, body: { ok: true }, headers: { 'X-Auth-Token': token } } : undefined,
  },
  'a token in the header Authorization, without a body': {
    says: ({ outcome, token }) =>
      outcome === 'in' ? { status: 204, headers: { Authorization: `Bearer ${token}` } } : undefined,
  },
  'a token in a cookie alone': {
    says: ({ outcome, token }) =>
      outcome === 'in'
        ? { status: 201, body: { ok: true }, headers: { 'Set-Cookie': `session=${token}; HttpOnly; Path=/` } }
        : undefined,
  },
  'a user in a list': {
    says: ({ outcome, person }) =>
      outcome === 'profile' && person
        ? { status: 200, body: [{ id: person.number, name: person.name, email: person.email, roles: ['user'] }] }
        : undefined,
  },
  'a user in a list within an envelope': {
    says: ({ outcome, person }) =>
      outcome === 'profile' && person
        ? {
            status: 200,
            body: { data: [{ id: person.uuid, attributes: { name: person.name, email: person.email } }], total: 1 },
          }
        : undefined,
  },
  'names in capitals and numbers as texts': {
    says: ({ outcome, person, token, wrong }) => ({
      status: statuses[outcome],
      body: {
        STATUS: String(statuses[outcome]),
        MESSAGE: sentences[outcome].toUpperCase(),
        ...(person &&
          !isRefusal(outcome) && {
            USER: { ID: String(person.number).padStart(6, '0'), NAME: person.name, EMAIL: person.email },
          }),
        ...(outcome === 'in' && { TOKEN: token, EXPIRES_IN: '3600' }),
        ...(outcome === 'invalid' && {
          ERRORS: Object.fromEntries(Object.entries(wrong).map(([name, text]) => [name.toUpperCase(), [text]])),
        }),
      },
    }),
  },
  'a byte order mark before JSON, and the number of a token beside it': {
    says(said) {
      const { status, body } = plainly(said);
      const number = said.token.split('|', 1)[0];
      const all = { ...Object(body), ...(said.token !== '' && { token_id: Number(number) }) };
      return { status, body: `\uFEFF${JSON.stringify(all)}` };
    },
    newToken: (_person, count) => `${count}|${randomBytes(20).toString('hex')}`,
  },
  'errors in XML': {
    says: ({ outcome, wrong, path, method }) =>
      isRefusal(outcome)
        ? {
            status: statuses[outcome],
            headers: { 'Content-Type': 'application/xml; charset=utf-8' },
            body: `<?xml version="1.0" encoding="UTF-8"?>\n<error code="${statuses[outcome]}"><message>${xml(sentences[outcome])}</message>${Object.entries(
              wrong,
            )
              .map(([name, text]) => `<field name="${name}">${xml(text)}</field>`)
              .join('')}<request method="${method}">${xml(path)}</request></error>`,
          }
        : undefined,
  },
  'errors as pages': {
    says: ({ outcome, path, method }) =>
      isRefusal(outcome)
        ? {
            status: statuses[outcome],
            headers: { 'Content-Type': 'text/html; charset=utf-8' },
            body: `<!doctype html>\n<html><head><title>${statuses[outcome]}</title></head>\n<body><h1>${sentences[outcome]}</h1><p>${method} ${xml(path)}</p></body></html>\n`,
          }
        : undefined,
  },
  'a logout that resets the content (205)': {
    says: ({ outcome }) => (outcome === 'out' ? { status: 205 } : undefined),
  },
  'a logout that leads to the login (302)': {
    says: ({ outcome }) => (outcome === 'out' ? { status: 302, headers: { Location: '/login' } } : undefined),
  },
  'sentences in the language that is asked for': {
    says: (said) => {
      const { status, body } = plainly(said);
      const message = said.language === 'es' ? inSpanish[said.outcome] : undefined;
      return message === undefined ? { status, body } : { status, body: { ...(body as object), message } };
    },
  },
  'everything is 200, and the body says how it went': {
    says: (said) => {
      const { body } = plainly(said);
      return {
        status: 200,
        body: { success: !isRefusal(said.outcome), code: statuses[said.outcome], ...(body as object) },
      };
    },
  },
  'a counter, a time and an id in every answer': {
    says: (said) => {
      const { status, body } = plainly(said);
      return {
        status,
        body: {
          ...(body as object),
          requestNumber: said.count,
          took: Math.random(),
          meta: { at: new Date().toISOString(), traceId: randomBytes(8).toString('hex') },
        },
      };
    },
  },
  'numbers that JavaScript would change, and the time as C writes it': {
    says({ outcome, person }) {
      if (outcome !== 'profile' || !person) return undefined;
      const { number, name, email, madeAt } = person;
      const [day, date, month, year, time] = madeAt.toUTCString().replace(',', '').split(' ');
      const made = `${day} ${month} ${date} ${time} ${year}`;
      return {
        status: 200,
        body: `{"id":137950555472841${number},"name":"${name}","email":"${email}","account":900719925474${number},"balance":100.10,"most":1e400,"least":-0,"made":"${made}"}`,
      };
    },
    newToken: (_person, count) => `${1379505554728411138n + BigInt(count)}|${randomBytes(20).toString('hex')}`,
  },
  'a user with a UUID, times and links': {
    says: ({ outcome, person }) =>
      person && (outcome === 'made' || outcome === 'profile')
        ? {
            status: statuses[outcome],
            body: {
              uuid: person.uuid,
              href: `/api/users/${person.uuid}`,
              displayName: person.name.toUpperCase(),
              contact: `${person.name} <${person.email}>`,
              gravatar: `https://www.gravatar.com/avatar/${createHash('md5').update(person.email).digest('hex')}`,
              memberSince: person.madeAt.toISOString().slice(0, 10),
              createdAt: person.madeAt.getTime(),
            },
          }
        : undefined,
  },
  'everything about a user in odd spellings': {
    says: ({ outcome, person, token }) =>
      person && (outcome === 'made' || outcome === 'profile' || outcome === 'in')
        ? {
            status: statuses[outcome],
            body: {
              ...(outcome === 'in' && { token }),
              ...(outcome === 'made' && { trace: `by ${Buffer.from(person.email).toString('hex')}` }),
              uuid: person.uuid,
              self: `https://example.test/users/${person.uuid}?by=${encodeURIComponent(person.email)}`,
              code: Buffer.from(person.email).toString('base64'),
              picture: `https://example.test/${createHash('sha256').update(person.email).digest('hex')}.png`,
              digest: createHash('md5').update(person.email).digest('hex'),
              html: `<p>${xml(person.name)} (${xml(person.email)})</p>`,
              header: `"${person.name}" <${person.email.toUpperCase()}>`,
            },
          }
        : undefined,
  },
  'JSON Web Tokens with the id of the user': {
    says: ({ outcome, token, person }) =>
      outcome === 'in' && person
        ? { status: 200, body: { jwt: token, tokenType: 'bearer', userId: person.uuid } }
        : undefined,
    newToken: (person, count) =>
      `${json({ alg: 'HS512', kid: 'k-1' })}.${json({ sub: person.uuid, jti: count, iat: Math.floor(Date.now() / 1000), email: person.email, aud: ['api'] })}.${randomBytes(64).toString('base64url')}`,
  },
  'strict, and leads a browser to its form': {
    isStrict: true,
    says: ({ outcome, asksForJson }) =>
      (outcome === 'no-token' || outcome === 'bad-token') && !asksForJson
        ? { status: 302, headers: { Location: '/login?from=api' } }
        : undefined,
  },
  'short tokens': { says: () => undefined, newToken: () => randomBytes(4).toString('hex') },
  'one problem at a time, the password first': {
    says: ({ outcome, wrong }) => {
      const field = ['password', 'cpassword', 'email', 'name'].find((each) => wrong[each] !== undefined);
      return outcome === 'invalid' && field !== undefined
        ? { status: 400, body: { error: { field, message: wrong[field] } } }
        : undefined;
    },
  },
  'the last field is told first': {
    says: ({ outcome, wrong }) => {
      if (outcome !== 'invalid') return undefined;
      const all = { ...wrong, ...(wrong['password'] !== undefined && { cpassword: 'The password is not repeated.' }) };
      return { status: 422, body: { errors: Object.fromEntries(Object.entries(all).toReversed()) } };
    },
  },
  'sentences as plain text': {
    says: ({ outcome, token, wrong, person }) => ({
      status: statuses[outcome],
      headers: { 'Content-Type': 'text/plain' },
      body:
        outcome === 'in'
          ? token
          : outcome === 'profile' && person
            ? `id=${person.number}\nname=${person.name}\nemail=${person.email}\n`
            : `${sentences[outcome]}${Object.entries(wrong)
                .map(([name, text]) => `\n${name}: ${text}`)
                .join('')}`,
    }),
  },
} satisfies Record<string, Way>;

export type OddName = keyof typeof oddWays;
// The keys of an object that is written here are its names.
export const oddNames = Object.keys(oddWays) as OddName[];
