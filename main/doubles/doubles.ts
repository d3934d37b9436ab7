import type { RunStep } from '../../preload/contract/contract-runs.ts';
import type { DoubleWork } from '../../preload/contract/doubles.ts';
import type { Language, Server } from '../../preload/contract/models.ts';
import type { Report } from '../../preload/contract/contract-report.ts';
import { fail, ok, type AppError, type Result } from '../../preload/contract/result.ts';
import { isDoubleId, newDoubleId, plainDouble, type ConfigStore, type StoredDoubleFacts } from '../config/config.ts';
import type { LearnProblem, MeasuredRun } from '../double/learn.ts';
import type { ServerModel } from '../service/double/model.ts';
import type { AppStateHolder } from '../state/app-state.ts';
import { codeOf } from '../error-code.ts';
import { systemWords } from '../system-words.ts';
import type { DoubleFiles } from './double-files.ts';
import type { Measuring } from './measuring.ts';
import type { Proofs } from './proofs.ts';
import type { RunningDoubles } from './running-doubles.ts';

const names = systemWords('names', {
  en: { double: 'Double of {{name}}', 'built-in': 'Built-in' },
  es: { double: 'Doble de {{name}}', 'built-in': 'Integrado' },
});

const longestName = 100;

/** A text out of a file on one line and in one direction, since it names a server. */
const plain = (text: string): string => text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim();

const hostOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : '');

type Options = {
  config: ConfigStore;
  state: AppStateHolder;
  language: () => Language;
  files: DoubleFiles;
  running: RunningDoubles;
  proofs: Proofs;
  measuring: Measuring;
};

export type Doubles = ReturnType<typeof createDoubles>;

/** Makes doubles of servers, each a server of its own in the list, and learns them anew. One is made at a time. */
// oxlint-disable-next-line eslint/max-lines-per-function -- Its functions are short, and share what is under way.
export function createDoubles(options: Options) {
  const { config, state, language, files, running, proofs, measuring } = options;
  const find = (id: string): Server | undefined => state.get().servers.find((each) => each.id === id);
  const stored = (id: string): StoredDoubleFacts | undefined =>
    config.get().servers.find((each) => each.id === id)?.double;

  /** Changes what is stored of a double that is still there. */
  function change(id: string, some: Partial<StoredDoubleFacts>): void {
    const { servers } = config.get();
    config.change({
      servers: servers.map((each) =>
        each.id === id && each.double
          ? Object.assign({}, each, { double: Object.assign({}, each.double, some) })
          : each,
      ),
    });
  }

  /** Says whether anything at this address is marked as production: another path there is no way around that. */
  const isProduction = (baseUrl: string): boolean =>
    config.get().servers.some((each) => each.production && hostOf(each.baseUrl) === hostOf(baseUrl));

  const nameOf = ({ builtIn, name, baseUrl }: Server): string =>
    (builtIn ? names(language())['built-in'] : name) || hostOf(baseUrl);

  function unusedName(of: string): string {
    const name = names(language()).double.replace('{{name}}', () => of);
    const taken = new Set(config.get().servers.map((each) => each.name));
    let numbered = name.slice(0, longestName);
    for (let number = 2; taken.has(numbered); number += 1) numbered = `${name.slice(0, longestName - 5)} (${number})`;
    return numbered;
  }

  /** Puts a model into the list as a server of its own, after its original, and starts it. */
  async function adopt(
    model: ServerModel,
    from: { server?: Server; report?: Report | undefined },
  ): Promise<Result<{ id: string }>> {
    const { server, report } = from;
    const id = newDoubleId();
    const of = (server ? nameOf(server) : plain(model.serverName ?? '')) || hostOf(model.baseUrl) || '?';
    try {
      await files.write(id, model, report);
    } catch (error) {
      await files.erase(id).catch(() => undefined);
      return fail({ kind: 'file-failed', code: codeOf(error) ?? '' });
    }
    const originUrl = plain(model.baseUrl);
    const origin = { of: of.slice(0, 200), originUrl, originId: server?.id, measuredAt: model.measuredAt };
    const plainOne = plainDouble(id, unusedName(of), origin);
    const { colour = 'gray', registrationPath = 'registro' } = server ?? {};
    const added = { ...plainOne, colour, registrationPath: registrationPathOf(model, registrationPath) };
    const { servers } = config.get();
    const at = servers.findIndex((each) => each.id === server?.id);
    config.change({ servers: at < 0 ? [...servers, added] : servers.toSpliced(at + 1, 0, added) });
    // It can be started again where it does not start now, and the list says why it did not.
    await running.start(id);
    return ok({ id });
  }

  /** Learns a model in memory, where the run still is. */
  async function learn(serverId: string, run: MeasuredRun | undefined): Promise<Result<ServerModel>> {
    const server = find(serverId);
    if (server && isProduction(server.baseUrl)) return refuse('production');
    if (!run) return refuse('no-run');
    const { learnModel } = await import('../double/learn.ts');
    const learned = await learnModel(run);
    return learned.ok ? ok(learned.model) : refuse(refusals[learned.problem]);
  }

  const tell = (of: { serverId: string; doubleId?: string } | undefined, work?: DoubleWork): void =>
    state.set({ doubleWork: of && work && { ...of, work } });
  const isBusy = (): boolean => ['measuring', 'learning'].includes(state.get().doubleWork?.work.step ?? '');

  /** Does one thing of which the state says how far it is. What ends it stays there until the next one, or a cancel. */
  async function alone<T>(
    of: { serverId: string; doubleId?: string },
    work: () => Promise<Result<T>>,
  ): Promise<Result<T>> {
    if (isBusy()) return refuse('under-way');
    tell(of, { step: 'learning' });
    let failed: AppError | undefined;
    try {
      const result = await work();
      if (!result.ok && result.error.kind !== 'cancelled') failed = result.error;
      return result;
    } finally {
      tell(failed && of, failed && { step: 'failed', error: failed });
    }
  }

  /** Measures a server, and says so meanwhile. */
  async function measure(of: { serverId: string; doubleId?: string }, like?: Report): Promise<Result<MeasuredRun>> {
    tell(of, { step: 'measuring', casesDone: 0, casesPlanned: 0, secondsLeft: 0 });
    const measured = await measuring.measure(of.serverId, like?.options);
    tell(of, { step: 'learning' });
    return measured;
  }

  /** The server of which a double was learned, if it is still there and may be measured. */
  function originalOf({ originId, originUrl }: StoredDoubleFacts): Server | undefined {
    const { servers } = state.get();
    const candidates = servers.filter(({ double, production }) => !double && !production);
    const isIt = ({ builtIn, baseUrl }: Server): boolean => builtIn || baseUrl === originUrl;
    return (
      candidates.find((each) => each.id === originId && isIt(each)) ??
      candidates.find((each) => !each.builtIn && each.baseUrl === originUrl)
    );
  }

  async function relearn(id: string, server: Server): Promise<Result<{ id: string }>> {
    const before = await files.original(id);
    const measured = await measure({ serverId: server.id, doubleId: id }, before);
    if (!measured.ok) return measured;
    const { report } = measured.value;
    const model = await learn(server.id, measured.value);
    if (!model.ok) return model;
    if (!stored(id)) return fail({ kind: 'not-now' });
    try {
      await files.write(id, model.value, report);
      const { compareReports } = await import('../contract-run/compare.ts');
      await files.writeComparisons(id, { changes: before && compareReports(before, report) });
    } catch (error) {
      return fail({ kind: 'file-failed', code: codeOf(error) ?? '' });
    }
    change(id, { measuredAt: model.value.measuredAt, originId: server.id, of: nameOf(server), compared: undefined });
    if (running.isRunning(id)) {
      await running.stop(id);
      await running.start(id);
    }
    proofs.begin(id);
    return ok({ id });
  }

  return {
    find,
    stored,
    change,
    adopt,

    /** Makes the double of a server from its last run, which is in memory, or measures it first. */
    async make(serverId: string, isMeasured: boolean): Promise<Result<{ id: string }>> {
      const server = find(serverId);
      if (!server || server.double) return fail({ kind: 'not-now' });
      if (isProduction(server.baseUrl)) return refuse('production');
      return alone({ serverId }, async () => {
        const measured = isMeasured ? await measure({ serverId }) : ok(await measuring.last(serverId));
        if (!measured.ok) return measured;
        const model = await learn(serverId, measured.value);
        if (!model.ok) return model;
        const made = await adopt(model.value, { server, report: measured.value?.report });
        if (made.ok) proofs.begin(made.value.id);
        return made;
      });
    },

    async measureAgain(id: string): Promise<Result<{ id: string }>> {
      const double = stored(id);
      if (!double) return fail({ kind: 'not-now' });
      const server = originalOf(double);
      if (!server || isProduction(server.baseUrl)) return refuse('no-original');
      await proofs.end(id);
      return alone({ serverId: server.id, doubleId: id }, () => relearn(id, server));
    },

    /** Makes a double from a model's file. */
    async fromFile(file: string): Promise<Result<{ id: string }>> {
      const { readModelAside } = await import('./model-aside.ts');
      const read = await readModelAside(file);
      if (!read.ok) {
        const { problem, detail } = read;
        // The words of `wrong-content` are about servers.
        const reason = problem === 'wrong-content' ? 'not-a-model' : problem;
        return fail({ kind: 'import-refused', reason, detail });
      }
      if (isProduction(read.model.baseUrl)) return refuse('production');
      return adopt(read.model, {});
    },

    /** Takes in how far a contract run is, where it is one for a double. */
    runStepped({ underWay }: RunStep): void {
      const { doubleWork } = state.get();
      if (!underWay || doubleWork?.work.step !== 'measuring' || underWay.serverId !== doubleWork.serverId) return;
      const { casesDone, casesPlanned, secondsLeft } = underWay.progress;
      const { casesDone: before, casesPlanned: planned } = doubleWork.work;
      if (casesDone === before && casesPlanned === planned) return;
      state.set({ doubleWork: { ...doubleWork, work: { step: 'measuring', casesDone, casesPlanned, secondsLeft } } });
    },

    /** Ends what is under way, and forgets what failed. */
    async cancel(): Promise<void> {
      const step = state.get().doubleWork?.work.step;
      if (step === 'measuring') await measuring.cancel();
      if (step === 'failed') tell(undefined);
    },

    /** Erases all of a double that was removed from the list. */
    async removed(id: string): Promise<void> {
      if (!isDoubleId(id)) return;
      await proofs.end(id);
      await running.forget(id);
      await files.erase(id);
    },
  };
}

const refusals = {
  'ended-early': 'ended-early',
  'no-login': 'no-login',
  'secret-in-model': 'secret-in-model',
  unreadable: 'no-model',
} as const satisfies Record<LearnProblem, string>;

const refuse = (problem: Extract<AppError, { kind: 'double-refused' }>['problem']): ReturnType<typeof fail> =>
  fail({ kind: 'double-refused', problem });

/** Returns the registration path that the original serves, where it serves only one. */
function registrationPathOf({ rules }: ServerModel, chosen: Server['registrationPath']): Server['registrationPath'] {
  if (rules.servesRegistro.value === rules.servesRegister.value) return chosen;
  return rules.servesRegistro.value ? 'registro' : 'register';
}
