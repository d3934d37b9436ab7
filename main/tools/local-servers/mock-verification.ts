import type { RunInput } from '../../check/run.ts';
import type { MockDefinition } from '../../service/mock/mock-definition.ts';
import type { MockFiles } from './mock-files.ts';
import type { StartedService } from './local-server.ts';

type ProofsOptions = {
  files: MockFiles;
  /** Says where a person says that things are in the answers of a double. */
  pathsOf: (id: string) => RunInput['paths'];
  /** Starts a service that is forgotten after the comparison. */
  start: (model: MockDefinition) => Promise<StartedService>;
  onProgress: (id: string, progress: { casesDone: number; casesPlanned: number } | undefined) => void;
  onCompared: (id: string, compared: { cases: number; differences: number }) => void;
  /** Logs a fault of ours. */
  report: (error: unknown) => unknown;
};

/**
 * Compares doubles with their originals: the contract run that the model was learned from goes over a second service
 * that answers by the same model, so that the accounts of the double stay as they are.
 */
export class MockVerification implements AsyncDisposable {
  readonly #options: ProofsOptions;
  readonly #underWay = new Map<string, { ending: AbortController; ended: Promise<void> }>();

  constructor(options: ProofsOptions) {
    this.#options = options;
  }

  /** Begins a comparison, which goes on by itself. One that is under way ends first. */
  start(id: string): void {
    const { onProgress, report } = this.#options;
    const before = this.stop(id);
    const ending = new AbortController();
    onProgress(id, { casesDone: 0, casesPlanned: 0 });
    const ended = before
      .then(() => this.#prove(id, ending.signal))
      .catch(report)
      .then(() => {
        if (this.#underWay.get(id)?.ending !== ending) return;
        this.#underWay.delete(id);
        onProgress(id, undefined);
      });
    this.#underWay.set(id, { ending, ended });
  }

  async stop(id: string): Promise<void> {
    const found = this.#underWay.get(id);
    found?.ending.abort();
    await found?.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#underWay.keys()].map((id) => this.stop(id)));
  }

  async #prove(id: string, signal: AbortSignal): Promise<void> {
    const { files, pathsOf, onProgress, onCompared } = this.#options;
    const [model, original] = await Promise.all([files.model(id), files.original(id)]);
    if (!model.ok || !original || signal.aborted) return;
    const started = await this.#options.start(model.model);
    if (!started.ok) return;
    try {
      let shown = -1;
      const { verifyMock } = await import('../../check/mock-generator/verify-mock.ts');
      const { comparison } = await verifyMock(original, started.service.baseUrl, {
        signal,
        paths: pathsOf(id),
        interface: model.model.interface,
        onProgress({ casesDone, casesPlanned }) {
          if (casesDone === shown || signal.aborted) return;
          shown = casesDone;
          onProgress(id, { casesDone, casesPlanned });
        },
      });
      if (signal.aborted) return;
      await files.writeComparisons(id, { ...(await files.comparisons(id)), comparison });
      onCompared(id, { cases: comparison.compared, differences: comparison.differences.length });
    } finally {
      await started.service.close();
    }
  }
}
