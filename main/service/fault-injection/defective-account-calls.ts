import { randomUUID } from 'node:crypto';
import { defaultRules, type AccountCallParts, type AccountCallRules } from '../account-calls.ts';
import { createOldPasswords } from '../domain/old-passwords.ts';
import type { Passwords } from '../domain/passwords.ts';
import { issueToken } from '../routes/issue-token.ts';
import type { AccountStore, TokenRecord } from '../stores/account-store.ts';
import type { createDefectiveStore } from './defective-store.ts';
import type { DefectActivation, DefectActivations } from './defects.ts';

/** Replaces a missing code. It is random, so that no client can send it. */
export const ANY_CODE = randomUUID();

const OLD_STEPS = 10;
const PENDING_SECONDS = 300;

type DefectiveStore = ReturnType<typeof createDefectiveStore>;
type Wrapped = { accounts: AccountStore; passwords: Passwords; accountCalls: AccountCallParts };

/** Sessions whose rows are deleted, while the defect is active that keeps them. They are in memory only. */
function createKeptSessions(activations: DefectActivations, { store, ...defective }: DefectiveStore) {
  const kept = new Map<number, { session: TokenRecord; activation: DefectActivation }>();
  const find = (tokenId: number): TokenRecord | undefined => {
    const found = kept.get(tokenId);
    return found && activations.areOn([found.activation]) ? found.session : undefined;
  };
  const accounts: AccountStore = {
    ...store,
    findSession: async (tokenId) => (await store.findSession(tokenId)) ?? find(tokenId),
    async revokeToken(tokenId) {
      if (await store.revokeToken(tokenId)) return true;
      const isThere = find(tokenId) !== undefined;
      if (!activations.isOn('token-outlives-logout')) kept.delete(tokenId);
      return isThere;
    },
  };
  return {
    accounts,
    /** Keeps the sessions of rows that are about to be deleted. */
    async keep(rowIds: readonly number[], activation: DefectActivation | undefined): Promise<void> {
      if (activation === undefined) return;
      for (const tokenId of defective.clientIdsOf(rowIds)) {
        const session = await store.findSession(tokenId);
        if (session) kept.set(tokenId, { session, activation });
      }
    },
  };
}

function createRules(
  { isOn }: Pick<DefectActivations, 'isOn'>,
  store: AccountCallParts['store'],
  createSessionToken: (accountId: number) => Promise<string>,
): AccountCallRules {
  return {
    ...defaultRules,
    stepsBefore: () => (isOn('old-codes-accepted') ? OLD_STEPS : defaultRules.stepsBefore()),
    mostWrongCodes: () => (isOn('wrong-codes-unlimited') ? Infinity : defaultRules.mostWrongCodes()),
    isPendingLoginUsedOnce: () => !isOn('pending-token-reusable'),
    createPendingToken: async ({ id }) => (isOn('pending-token-opens-profile') ? createSessionToken(id) : undefined),
    async acceptsWrongCode(accountId, code, check) {
      if (code === ANY_CODE) return isOn('code-not-required');
      if (!isOn('code-of-other-account')) return false;
      for (const secret of await store.activeSecrets()) if (await check(accountId, secret, code)) return true;
      return false;
    },
    confirmsPassword: async (call, matches) =>
      (call === 'change-password' && isOn('current-password-ignored')) ||
      (call === 'delete-account' && isOn('deleted-without-password')) ||
      matches(),
  };
}

/** Wraps the account calls, with the stores that they share with the other routes. */
export function createDefectiveAccountCalls(
  { passwords, accountCalls }: Omit<Wrapped, 'accounts'>,
  activations: DefectActivations,
  defective: DefectiveStore,
): Wrapped {
  const { store, now } = accountCalls;
  const sessions = createKeptSessions(activations, defective);
  const old = createOldPasswords(passwords, (activation: DefectActivation) => activations.areOn([activation]));
  const { accounts } = sessions;

  const createSessionToken = async (accountId: number): Promise<string> => {
    const { token } = await issueToken({ accounts, now, tokenLifetimeSeconds: PENDING_SECONDS }, accountId);
    return defective.visibleToken(token);
  };
  return {
    accounts: {
      ...accounts,
      async replacePasswordHash(accountId, from, to) {
        await accounts.replacePasswordHash(accountId, from, to);
        old.replaced(from, to, undefined);
      },
    },
    passwords: { ...passwords, matches: (password, hash) => old.matches(password, hash) },
    accountCalls: {
      ...accountCalls,
      rules: createRules(activations, store, createSessionToken),
      store: {
        ...store,
        useStep: async (accountId, step) =>
          (await store.useStep(accountId, step)) || activations.isOn('code-accepted-twice'),
        useRecoveryCode: async (accountId, digest) =>
          activations.isOn('recovery-code-reusable')
            ? store.hasRecoveryCode(accountId, digest)
            : store.useRecoveryCode(accountId, digest),
        async changePassword(change) {
          const rows = await store.tokenIdsOf(change.accountId);
          await sessions.keep(rows, activations.of('sessions-outlive-password'));
          const isChanged = await store.changePassword({
            ...change,
            keepTokenId: defective.storedIdOf(change.keepTokenId),
          });
          if (isChanged) old.replaced(change.from, change.to, activations.of('old-password-works'));
          return isChanged;
        },
        async deleteAccount(accountId) {
          await sessions.keep(await store.tokenIdsOf(accountId), activations.of('token-outlives-account'));
          return store.deleteAccount(accountId);
        },
      },
    },
  };
}
