import type { Handlers } from '../../preload/contract/contract.ts';
import type { DialogQuestion } from '../../preload/contract/dialogs.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { workingCalls } from '../../preload/contract/proven-parts.ts';
import type { Servers } from '../account/servers/servers.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';

type TrialOptions = {
  servers: Pick<Servers, 'drafts' | 'store'>;
  secretRegistry: Pick<SecretRegistry, 'register'>;
  /** Main's own question. Succeeds when the person agreed. */
  ask: (question: DialogQuestion) => Promise<Result<null>>;
};

/** The one trial of a description that may be under way. */
export class TrialRunner {
  readonly #options: TrialOptions;
  #underWay: AbortController | undefined;

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  readonly handlers: Pick<Handlers['interfaces'], 'runTrial' | 'cancelTrial'> = {
    runTrial: async (wanted) => {
      if (this.#underWay) return fail({ kind: 'not-now' });
      const underWay = new AbortController();
      this.#underWay = underWay;
      try {
        return await this.#try(wanted, underWay.signal);
      } finally {
        this.#underWay = undefined;
      }
    },
    cancelTrial: () => {
      this.cancel();
      return ok({});
    },
  };

  cancel(): void {
    this.#underWay?.abort();
  }

  #try(
    { account, ...entered }: Parameters<Handlers['interfaces']['runTrial']>[0],
    signal: AbortSignal,
  ): ReturnType<Handlers['interfaces']['runTrial']> {
    const { servers, secretRegistry, ask } = this.#options;
    return servers.drafts.withConnection(
      entered,
      async ({ host, production, adapter }) => {
        if (account.is === 'typed') return ok(null);
        if (adapter.features.registrations.length === 0) return fail({ kind: 'not-now' });
        return ask({ kind: 'try-made-up', host, production });
      },
      async (way) => {
        const { tryDescription } = await import('./trial/try-description.ts');
        const guesses = entered.enteredInterface?.guesses;
        const trial = await tryDescription({ ...way, account, guesses, signal, secretRegistry });
        if (trial.works && entered.id !== undefined)
          servers.store.removeProvenGuesses(entered.id, way.text, workingCalls(trial));
        return trial;
      },
    );
  }
}
