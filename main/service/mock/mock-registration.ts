import type { FastifyReply, FastifyRequest } from 'fastify';
import { normalizeText } from '../../files/normalize-text.ts';
import { clientNetwork } from '../domain/client-network.ts';
import { recordTokens } from '../translate-response.ts';
import { originalMethod } from '../translate-request.ts';
import type { LoginRecord } from '../stores/account-store.ts';
import { consumeAll } from '../stores/rate-limit-store.ts';
import type { MockContext } from './mock-context.ts';
import type { InputViolation, FieldViolation, MockRules } from './mock-definition.ts';
import { sendMockResponse } from './mock-responses.ts';
import { lengthLimitsOf, findRegistrationViolations } from './input-violations.ts';
import { rejectedViolations } from './rejected-violations.ts';
import { hasPlaceholder } from './render-response.ts';

/** The text of a value that the original accepted although it is none. */
export const asText = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value);

/** The bytes of a password that count, for an original that truncates it as bcrypt does. */
export function truncatePassword(password: string, { passwordCutAt: { value } }: MockRules): string {
  return value === 0 ? password : Buffer.from(password).subarray(0, value).toString('latin1');
}

/** The same for two emails that are one account to a registration. */
export function registrationKey(email: string, { registrationIgnoresCase, registrationTrims }: MockRules): string {
  const trimmed = registrationTrims.value ? email.trim() : email;
  const normal = normalizeText(trimmed, 'NFC');
  return registrationIgnoresCase.value ? normal.toLowerCase() : normal;
}

/** How registrations at a mock treat user names. */
function createUsernameRules({ model: { rules }, parts: { usernames }, identifiers }: MockContext) {
  const isUnique = rules.refusesTakenUsername?.value ?? identifiers.loginBy !== 'email';
  let before: Promise<unknown> = Promise.resolve();
  return {
    /** The user name of a registration, with its key. */
    usernameIn({ username, email }: Record<string, unknown>): Username | undefined {
      if (!identifiers.hasUsername) return undefined;
      // Where a login asks for one, no account may be without.
      const text = asText(username ?? email);
      const name = rules.registrationTrims.value ? text.trim() : text;
      return { username: name, usernameKey: registrationKey(name, rules) };
    },

    isTaken: async (name: Username | undefined): Promise<boolean> =>
      name !== undefined && isUnique && (await usernames.emailKeyOf(name.usernameKey)) !== undefined,

    /** Runs one registration after the other: of two at once with one user name, the second finds it taken. */
    runExclusive<T>(work: () => Promise<T>): Promise<T> {
      const result = before.then(work);
      before = result.catch(() => undefined);
      return result;
    },
  };
}

type Username = { username: string; usernameKey: string };

/** Violations of the form of an email, which a user name in its place need not have. */
const shapesOfEmail: ReadonlySet<InputViolation> = new Set(['malformed', 'without-dot']);

/** Answers a registration that succeeded; with a token, if that of the original has one. */
function createSuccessResponder(mock: MockContext, path: 'registro' | 'register') {
  const { parts, answers, tokens } = mock;
  const answer = answers.find(path, 'done') ?? answers.find(path === 'registro' ? 'register' : 'registro', 'done');
  const hasToken = answer !== undefined && hasPlaceholder(answer, 'token');
  return async (request: FastifyRequest, reply: FastifyReply, sent: unknown, login: LoginRecord) => {
    const user = await mock.withUsername(login.account);
    const { username } = user;
    const issued = hasToken ? await tokens.issue(login, { nowMs: parts.now(), sent, username }) : undefined;
    if (issued) recordTokens(reply, issued);
    return sendMockResponse(
      request,
      reply,
      answer,
      'done',
      mock.templateValuesFor(request, { sent, ...user, ...issued }),
    );
  };
}

export function createMockRegistration(mock: MockContext, path: 'registro' | 'register') {
  const { model, parts, answers, limits, identifiers } = mock;
  const { rules } = model;
  const usernames = createUsernameRules(mock);
  const isServed = path === 'registro' ? rules.servesRegistro.value : rules.servesRegister.value;
  const sendSuccess = createSuccessResponder(mock, path);

  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    if (!isServed) {
      const missing =
        answers.measured(path, 'unknown-path') ?? answers.otherPath(originalMethod(request), request.originalUrl);
      return sendMockResponse(request, reply, missing, 'unknown-path', mock.templateValuesFor(request));
    }
    const read = mock.parseRequestBody(request, path);
    if (!read.ok) return mock.respond(request, reply, path, read.situation);
    const sent = read.body;
    const violations = await findRegistrationViolations(sent, path, lengthLimitsOf(rules));
    const isChecked = ({ field, oddity }: FieldViolation): boolean =>
      field === 'cpassword'
        ? !parts.ignoresCpassword?.()
        : field !== 'email' || identifiers.hasEmail || !identifiers.hasUsername || !shapesOfEmail.has(oddity);
    const problems = rejectedViolations(rules, path, violations.filter(isChecked));
    if (problems.length > 0) {
      return sendMockResponse(
        request,
        reply,
        answers.invalid(path, problems),
        'invalid',
        mock.templateValuesFor(request, { sent }),
      );
    }
    const limitKey = `register|${clientNetwork(request.ip)}`;
    const attempt = await consumeAll(
      parts.rateLimitStore,
      limits.registration ? [[limitKey, limits.registration]] : [],
    );
    if (!attempt.granted)
      return mock.respond(request, reply, path, 'throttled', { sent, waitSeconds: attempt.retryAfterSeconds });

    const email = rules.registrationTrims.value ? asText(sent['email']).trim() : asText(sent['email']);
    const key = registrationKey(email, rules);
    const known = await parts.accounts.findLogin(key);
    const name = usernames.usernameIn(sent);
    if (await usernames.isTaken(name)) return mock.respond(request, reply, path, 'username-taken', { sent });
    if (known && !rules.refusesTakenEmail.value) return sendSuccess(request, reply, sent, known);
    const hashed = known
      ? undefined
      : await parts.hashQueue.run(() => parts.passwords.hash(truncatePassword(asText(sent['password']), rules)));
    if (hashed && !hashed.ok) {
      await attempt.giveBack();
      return mock.respond(request, reply, path, 'throttled', { sent, waitSeconds: hashed.retryAfterSeconds });
    }
    const create = async (passwordHash: string) => {
      if (await usernames.isTaken(name)) return undefined;
      const made = await parts.accounts.createAccount({
        name: asText(sent['name']),
        email,
        emailKey: key,
        passwordHash,
        createdAtMs: parts.now(),
      });
      if (made.ok && name) await parts.usernames.give(made.account.id, name);
      return made;
    };
    const created = hashed === undefined ? undefined : await usernames.runExclusive(() => create(hashed.value));
    if (!hashed || !created?.ok) return mock.respond(request, reply, path, 'taken', { sent, account: known?.account });
    return sendSuccess(request, reply, sent, { account: created.account, passwordHash: hashed.value });
  };
}
