import type { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import { createStatedOutcome, createUnmetDependency, findingIf, type Case } from '../case.ts';
import { listResponseFields, isAccepted, type Observation } from '../observation.ts';
import { logInTwice } from './log-in-twice.ts';

const tokenOfRequest = (seen: Observation | undefined): string | undefined => seen?.sent?.token;

/** Milliseconds until a logout has reached every replica and cache. */
const propagationDelayMs = 3_000;

export const sessionCases: readonly Case[] = [
  {
    id: 'profile.served',
    kind: 'stated',
    section: 4,
    lines: [13, 49, 63],
    needs: ['token.source'],
    sendsValidRequests: true,
    calls: 2,
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('token.source');
      const seen = await client.call({ operation: 'profile', token: await client.tokenOf(account) });
      return createStatedOutcome(seen, isAccepted(seen), { answers: [client.reply('profile-sent', seen, 'profile')] });
    },
  },
  {
    id: 'profile.own-user',
    kind: 'stated',
    section: 1,
    lines: [13],
    needs: ['profile.served'],
    sendsValidRequests: true,
    calls: 4,
    async run(client) {
      const two = client.accounts().slice(0, 2);
      const seen: Observation[] = [];
      let own = 0;
      let others = 0;
      for (const account of two) {
        const profile = await client.call({ operation: 'profile', token: await client.tokenOf(account) });
        const { email } = profile.reading.summary.user ?? {};
        seen.push(profile);
        if (email?.toLowerCase() === account.email.toLowerCase()) own += 1;
        else if (two.some((each) => each.email === email)) others += 1;
      }
      if (own + others === 0) return { notMeasured: { kind: 'needs', caseId: 'profile.answer' } };
      const choice = others > 0 ? 'another' : 'own';
      const answers: CaseAnswer[] = [{ question: 'profile-whose', value: { kind: 'choice', choice } }];
      return { passed: others === 0, answers, findings: findingIf(others > 0, 'profile-of-another', seen, answers) };
    },
  },
  {
    id: 'profile.answer',
    kind: 'observed',
    section: 2,
    lines: [29, 56],
    needs: ['profile.served'],
    calls: 0,
    run(client) {
      const seen = client.observationsOf('profile.served').findLast((each) => each.operation === 'profile');
      if (!seen) return createUnmetDependency('profile.served');
      return {
        answers: [
          { question: 'success-status', subject: 'profile', value: { kind: 'status', status: seen.status } },
          {
            question: 'success-fields',
            subject: 'profile',
            value: { kind: 'fields', fields: listResponseFields(seen, client.secretRegistry) },
          },
        ],
      };
    },
  },
  {
    id: 'logout.served',
    kind: 'stated',
    section: 4,
    lines: [14, 50, 63],
    needs: ['profile.served'],
    sendsValidRequests: true,
    calls: 2,
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('token.source');
      const login = await client.login(account.email, account.password);
      const { token } = login.reading.summary;
      if (token === undefined) return { notMeasured: { kind: 'unstable' } };
      const seen = await client.call({ operation: 'logout', token });
      if (isAccepted(seen)) client.markTokenInvalid(token);
      return createStatedOutcome(seen, isAccepted(seen), { answers: [client.reply('logout-sent', seen, 'logout')] });
    },
  },
  {
    id: 'logout.answer',
    kind: 'observed',
    section: 4,
    lines: [56],
    needs: ['logout.served'],
    calls: 0,
    run(client) {
      const seen = client.observationsOf('logout.served').at(-1);
      if (!seen) return createUnmetDependency('logout.served');
      return {
        answers: [
          { question: 'success-status', subject: 'logout', value: { kind: 'status', status: seen.status } },
          {
            question: 'success-fields',
            subject: 'logout',
            value: { kind: 'fields', fields: listResponseFields(seen, client.secretRegistry) },
          },
        ],
      };
    },
  },
  {
    id: 'logout.same-token-afterwards',
    kind: 'observed',
    section: 4,
    lines: [38, 58],
    needs: ['logout.served'],
    calls: 2,
    async run(client) {
      const logout = client.observationsOf('logout.served').at(-1);
      const token = tokenOfRequest(logout);
      if (!logout || token === undefined) return createUnmetDependency('logout.served');
      if (client.isTokenLost(token)) return { notMeasured: { kind: 'restarted' } };
      let seen = await client.call({ operation: 'profile', token });
      // A store with copies, or a cache for a second, may know of the logout a little later.
      if (isAccepted(seen)) {
        await client.pause(propagationDelayMs);
        seen = await client.call({ operation: 'profile', token });
      }
      const answers = [client.reply('profile-after-logout', seen, 'profile')];
      return { answers, findings: findingIf(isAccepted(seen), 'token-outlives-logout', [logout, seen], answers) };
    },
  },
  {
    id: 'logout.other-tokens-afterwards',
    kind: 'observed',
    section: 3,
    lines: [38, 58],
    needs: ['logout.served'],
    sendsValidRequests: true,
    calls: 6,
    async run(client) {
      const [account] = client.accounts();
      if (!account) return createUnmetDependency('token.source');
      const [staying, leaving] = await logInTwice(client, account);
      if (staying === undefined || leaving === undefined) return { notMeasured: { kind: 'unstable' } };
      const before = await client.call({ operation: 'profile', token: staying });
      // Where the second login ended the first token, there is no other one.
      if (staying === leaving || !isAccepted(before)) {
        return { answers: [{ question: 'other-token-after-logout', value: { kind: 'none', why: 'no-second-token' } }] };
      }
      const logout = await client.call({ operation: 'logout', token: leaving });
      // That the other token still works says nothing after a logout that was refused.
      if (!isAccepted(logout)) return { notMeasured: { kind: 'unstable' } };
      client.markTokenInvalid(leaving);
      const seen = await client.call({ operation: 'profile', token: staying });
      if (!isAccepted(seen)) client.markTokenInvalid(staying);
      return { answers: [client.reply('other-token-after-logout', seen, 'profile')] };
    },
  },
  {
    id: 'logout.twice',
    kind: 'observed',
    section: 4,
    lines: [58, 67],
    needs: ['logout.served'],
    calls: 1,
    async run(client) {
      const token = tokenOfRequest(client.observationsOf('logout.served').at(-1));
      if (token === undefined) return createUnmetDependency('logout.served');
      if (client.isTokenLost(token)) return { notMeasured: { kind: 'restarted' } };
      const seen = await client.call({ operation: 'logout', token });
      return { answers: [client.reply('logout-again', seen, 'logout')] };
    },
  },
];
