import type { CaseAnswer } from '../../../preload/contract/report-cases.ts';
import { createUnmetDependency, findingIf, type Case } from '../case.ts';
import { createTamperedTokens } from '../tampered-tokens.ts';
import { isAccepted, isSentWithoutToken, type Observation } from '../observation.ts';

/** This case tries a token in its own form: what looks right, and was never given by the server. */
export const tamperedTokenCases: readonly Case[] = [
  {
    id: 'token.altered',
    hasIndependentCalls: true,
    kind: 'observed',
    section: 5,
    lines: [67],
    needs: ['profile.served', 'token.invalid'],
    calls: 8,
    async run(probe) {
      const [account] = probe.accounts();
      if (!account) return createUnmetDependency('token.source');
      const token = await probe.tokenOf(account);
      const answers: CaseAnswer[] = [];
      const accepted: Observation[] = [];
      for (const { question, altered } of await createTamperedTokens(probe.currentToken(token))) {
        // Where a server verifies nothing, it is as good as the token.
        probe.secretRegistry.register(altered, 'token');
        const seen = await probe.call({ operation: 'perfil', token: altered, tamperedFrom: token });
        answers.push(probe.reply(question, seen, 'perfil'));
        if (isAccepted(seen)) accepted.push(seen);
      }
      // The refusals mean something only while the token itself works.
      const control = await probe.call({ operation: 'perfil', token });
      if (!isAccepted(control)) return { notMeasured: { kind: 'unstable' } };
      // Where anything will do for a token, another finding says so.
      const anything = [
        ...probe.observationsOf('token.required').filter(isSentWithoutToken),
        ...probe.observationsOf('token.invalid'),
      ].some((seen) => seen.operation === 'perfil' && isAccepted(seen));
      return { answers, findings: findingIf(accepted.length > 0 && !anything, 'token-unverified', accepted, answers) };
    },
  },
];
