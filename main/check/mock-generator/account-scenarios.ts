import { isAccountCall } from '../../interface/account-calls.ts';
import type { ApiAdapter } from '../../interface/api-adapter.ts';
import type { Scenario } from '../../service/mock/mock-definition.ts';
import { isRegistrationCall, isAcceptedCall, toEmailKey, type AnalyzedCall } from './analyzed-calls.ts';
import type { MatchedScenario } from './mock-inference.ts';

/** What is known of the accounts and their pending logins, call by call. */
class AccountHistory {
  readonly #adapter: ApiAdapter;
  /** By the key of the email. */
  readonly #passwords = new Map<string, unknown>();
  readonly #changedPasswords = new Set<string>();
  readonly #deleted = new Set<string>();
  readonly #withFactor = new Set<string>();
  readonly #usedPendingLogins = new Set<string>();
  readonly #wrongCodes = new Map<string, number>();

  constructor(adapter: ApiAdapter) {
    this.#adapter = adapter;
  }

  /** The scenario of a call, before it is {@link AccountHistory.note}d; undefined if it tells nothing new. */
  scenarioOf(call: AnalyzedCall): Scenario | undefined {
    const { operation, handling } = call;
    if (!isAccountCall(operation)) return this.#scenarioOfOperation(call);
    if (handling === 'throttled') return 'throttled';
    if (operation.startsWith('code.')) return this.#scenarioOfCode(call);
    const { password, email } = call.observation.sent?.account?.fields ?? {};
    if (operation === 'forgotPassword' || operation === 'resendConfirmation')
      return this.#passwords.has(toEmailKey(textOrNone(email))) ? 'done' : 'unknown-email';
    if (!this.#adapter.fieldNamesOf(operation).includes('password')) return 'done';
    if (password === undefined) return 'missing-password';
    const known = this.#passwords.get(keyOf(call));
    // The given account registered before the check.
    return known === undefined || known === password ? 'done' : 'wrong-password';
  }

  #scenarioOfOperation({ operation, observation, handling, token, ...call }: AnalyzedCall): Scenario | undefined {
    const key = keyOf(call);
    if (operation === 'login') {
      if (observation.pending) return 'second-factor-required';
      const isRight = this.#passwords.get(key) === call.sent?.['password'];
      const isOffered = this.#adapter.secondFactor.kind === 'offered';
      return isOffered && isRight && this.#withFactor.has(key) && handling === 'refused'
        ? 'second-factor-required'
        : undefined;
    }
    if (operation !== 'profile') return undefined;
    if (observation.pending) return 'second-factor-required';
    if (observation.sent?.pending) return observation.sent.pendingValue ? undefined : 'token-pending';
    if (token === undefined) return undefined;
    if (this.#deleted.has(key)) return handling === 'accepted' ? 'account-deleted' : 'token-foreign';
    return handling === 'refused' && this.#changedPasswords.has(key) ? 'token-ended' : undefined;
  }

  #scenarioOfCode(call: AnalyzedCall): Scenario | undefined {
    const { code } = call.observation.sent?.account?.fields ?? {};
    const outcome = this.#outcomeOf(call);
    if (code === undefined) return 'missing-code';
    if (code === '') return 'empty-code';
    if (typeof code !== 'string') return 'malformed-code';
    if (outcome === 'accepted') return 'done';
    if (outcome === 'rate-limited') return 'throttled';
    const pending = pendingKeyOf(call);
    if (this.#usedPendingLogins.has(pending)) return 'pending-login-ended';
    if (outcome === 'wrong') return 'wrong-code';
    return (this.#wrongCodes.get(pending) ?? 0) > 0 ? 'throttled' : undefined;
  }

  #outcomeOf({ operation, observation }: AnalyzedCall) {
    const method = (['totp', 'email', 'recovery'] as const).find((each) => operation === `code.${each}`);
    const response = observation.call?.response;
    return method && response ? this.#adapter.secondFactor.outcomeOf(method, response) : undefined;
  }

  /** Takes up what a call changed. */
  note(call: AnalyzedCall): void {
    const { operation, sent, status, observation } = call;
    const key = keyOf(call);
    const { fields = {} } = observation.sent?.account ?? {};
    const isDone = isAccountCall(operation) && this.#adapter.isSuccessStatus(operation, status);
    if (isRegistrationCall(call) && isAcceptedCall(call)) {
      this.#passwords.set(key, sent?.['password']);
      this.#deleted.delete(key);
    }
    if (operation === 'changePassword' && isDone) {
      this.#passwords.set(key, fields['newPassword']);
      this.#changedPasswords.add(key);
    }
    if (operation === 'enrollment.confirm' && isDone) this.#withFactor.add(key);
    if (operation === 'deleteAccount' && isDone) {
      this.#passwords.delete(key);
      this.#deleted.add(key);
    }
    const outcome = this.#outcomeOf(call);
    const pending = pendingKeyOf(call);
    if (outcome === 'accepted' && pending !== key) this.#usedPendingLogins.add(pending);
    if (outcome === 'wrong') this.#wrongCodes.set(pending, (this.#wrongCodes.get(pending) ?? 0) + 1);
  }
}

const keyOf = ({ person, sent }: Pick<AnalyzedCall, 'person' | 'sent'>): string =>
  toEmailKey(person?.email ?? textOrNone(sent?.['email']));

const textOrNone = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The same for two codes of one pending login; of one account, where a code comes with the password. */
function pendingKeyOf(call: AnalyzedCall): string {
  const { token, outputs = {}, cookies = {} } = call.observation.sent?.pending?.credential ?? {};
  const values = [token, ...Object.values(outputs), ...Object.values(cookies)];
  return values.some((each) => each !== undefined) ? JSON.stringify(values) : keyOf(call);
}

/**
 * The scenarios of the calls of the cases about second factors and accounts, in which a mock would see the same calls.
 * @param others the scenarios of all other cases; one that is among them is left out
 */
export function matchAccountScenarios(
  everything: readonly AnalyzedCall[],
  others: readonly MatchedScenario[],
  adapter: ApiAdapter,
): MatchedScenario[] {
  const history = new AccountHistory(adapter);
  const keyOfMatch = ({ operation, situation }: Pick<MatchedScenario['match'], 'operation' | 'situation'>): string =>
    `${operation} ${situation}`;
  const known = new Set(others.map(({ match }) => keyOfMatch(match)));
  const found: MatchedScenario[] = [];
  for (const call of everything) {
    const situation = call.isAboutAccount ? history.scenarioOf(call) : undefined;
    const match = situation !== undefined && { operation: call.operation, situation };
    if (match && !known.has(keyOfMatch(match))) found.push({ call, match });
    history.note(call);
  }
  return found;
}
