import type { Handlers } from '../../preload/contract/contract.ts';
import type { DialogQuestion } from '../../preload/contract/dialogs.ts';
import { fail, ok, type Result } from '../../preload/contract/result.ts';
import { workingCalls } from '../../preload/contract/proven-parts.ts';
import type { Servers } from '../account/servers/servers.ts';
import type { SecretRegistry } from '../client/secrets/secret-registry.ts';

type TrialOptions = {
  servers: Pick<Servers, 'drafts' | 'store'>;
  secretRegistry: Pick<SecretRegistry, 'register'>;
  /** A question of the application itself; succeeds if the user agreed. */
  ask: (question: DialogQuestion) => Promise<Result<null>>;
};

/** Runs *Try it*, one trial of a description at a time. */
export class TrialRunner {
  readonly #options: TrialOptions;
  #running: AbortController | undefined;

  constructor(options: TrialOptions) {
    this.#options = options;
  }

  readonly handlers: Pick<Handlers['interfaces'], 'runTrial' | 'cancelTrial'> = {
    runTrial: async (input) => {
      if (this.#running) return fail({ kind: 'not-now' });
      const running = new AbortController();
      this.#running = running;
      try {
        return await this.#run(input, running.signal);
      } finally {
        this.#running = undefined;
      }
    },
    cancelTrial: () => {
      this.cancel();
      return ok({});
    },
  };

  cancel(): void {
    this.#running?.abort();
  }

  #run(
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
      async (connection) => {
        const { tryDescription } = await import('./trial/try-description.ts');
        const guesses = entered.enteredInterface?.guesses;
        const trial = await tryDescription({ ...connection, account, guesses, signal, secretRegistry });
        if (trial.works && entered.id !== undefined)
          servers.store.removeProvenGuesses(entered.id, connection.text, workingCalls(trial));
        return trial;
      },
    );
  }
}
