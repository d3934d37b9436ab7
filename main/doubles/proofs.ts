import type { RunInput } from '../contract-run/run.ts';
import type { ServerModel } from '../service/double/model.ts';
import type { DoubleFiles } from './double-files.ts';

export type Proofs = ReturnType<typeof createProofs>;

/**
 * Compares doubles with their originals: the contract run that the model was learned from goes over a second service
 * that answers by the same model, so that the accounts of the double stay as they are.
 */
export function createProofs(options: {
  files: DoubleFiles;
  /** Says where a person says that things are in the answers of a double. */
  pathsOf: (id: string) => RunInput['paths'];
  /** Starts a service that is forgotten after the comparison. */
  startAside: (model: ServerModel) => Promise<{ baseUrl: string; close: () => Promise<void> } | undefined>;
  onProgress: (id: string, progress: { casesDone: number; casesPlanned: number } | undefined) => void;
  onCompared: (id: string, compared: { cases: number; differences: number }) => void;
  /** Logs a fault of ours. */
  report: (error: unknown) => unknown;
}) {
  const { files, pathsOf, startAside, onProgress, onCompared, report } = options;
  const underWay = new Map<string, { ending: AbortController; ended: Promise<void> }>();

  async function prove(id: string, { signal }: AbortController): Promise<void> {
    const [model, original] = await Promise.all([files.model(id), files.original(id)]);
    if (!model.ok || !original || signal.aborted) return;
    const aside = await startAside(model.model);
    if (!aside) return;
    try {
      let shown = -1;
      const { proveDouble } = await import('../double/prove-double.ts');
      const { comparison } = await proveDouble(original, aside.baseUrl, {
        signal,
        paths: pathsOf(id),
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
      await aside.close();
    }
  }

  async function end(id: string): Promise<void> {
    const found = underWay.get(id);
    found?.ending.abort();
    await found?.ended;
  }

  return {
    /** Begins a comparison, which goes on by itself. One that is under way ends first. */
    begin(id: string): void {
      const before = end(id);
      const ending = new AbortController();
      onProgress(id, { casesDone: 0, casesPlanned: 0 });
      const ended = before
        .then(() => prove(id, ending))
        .catch(report)
        .then(() => {
          if (underWay.get(id)?.ending !== ending) return;
          underWay.delete(id);
          onProgress(id, undefined);
        });
      underWay.set(id, { ending, ended });
    },

    end,

    async close(): Promise<void> {
      await Promise.all([...underWay.keys()].map(end));
    },
  };
}
