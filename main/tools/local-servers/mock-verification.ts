import type { RunInput } from '../../check/run.ts';
import type { MockDefinition } from '../../service/mock/mock-definition.ts';
import type { MockFiles } from './mock-files.ts';
import type { StartedService } from './local-server.ts';

type MockVerificationOptions = {
  files: MockFiles;
  /** The paths that the user set for the responses of a mock server. */
  pathsOf: (id: string) => RunInput['paths'];
  /** Starts a service that is forgotten after the comparison. */
  start: (model: MockDefinition) => Promise<StartedService>;
  onProgress: (id: string, progress: { casesDone: number; casesPlanned: number } | undefined) => void;
  onCompared: (id: string, compared: { cases: number; differences: number }) => void;
  /** Logs a bug. */
  report: (error: unknown) => unknown;
};

/**
 * Compares mock servers with their originals. The check runs on a second service with the same mock file, so that the
 * accounts of the mock server stay as they are.
 */
export class MockVerification implements AsyncDisposable {
  readonly #options: MockVerificationOptions;
  readonly #running = new Map<string, { ending: AbortController; ended: Promise<void> }>();

  constructor(options: MockVerificationOptions) {
    this.#options = options;
  }

  /** Starts a comparison in the background, after one that is running was stopped. */
  start(id: string): void {
    const { onProgress, report } = this.#options;
    const before = this.stop(id);
    const ending = new AbortController();
    onProgress(id, { casesDone: 0, casesPlanned: 0 });
    const ended = before
      .then(() => this.#verify(id, ending.signal))
      .catch(report)
      .then(() => {
        if (this.#running.get(id)?.ending !== ending) return;
        this.#running.delete(id);
        onProgress(id, undefined);
      });
    this.#running.set(id, { ending, ended });
  }

  async stop(id: string): Promise<void> {
    const found = this.#running.get(id);
    found?.ending.abort();
    await found?.ended;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#running.keys()].map((id) => this.stop(id)));
  }

  async #verify(id: string, signal: AbortSignal): Promise<void> {
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
