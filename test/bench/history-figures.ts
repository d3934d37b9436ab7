import { stat } from 'node:fs/promises';
import path from 'node:path';
import { openReportStore } from '../../main/contract-run/report-store.ts';
import { historyOf } from '../../main/contract-run/server-history.ts';
import type { Report } from '../../preload/contract/contract-report.ts';
import { reportWith } from '../support/report.ts';
import type { Measure } from './context.ts';
import { figure } from './figures.ts';

const COUNT = 1000;
const server = 'staging';
const hourMs = 3_600_000;
const MEGABYTE = 1_000_000;

/** Makes the report of one run of a year. Each finding in turn is there for some runs, and then is gone again. */
function reportOf(run: number, whole: Report): Report {
  const every = Math.floor(COUNT / whole.findings.length);
  const measured = whole.cases.find(({ outcome }) => outcome === 'answered');
  const present = run % every < every / 2 ? Math.floor(run / every) : -1;
  return {
    ...whole,
    startedAt: new Date(Date.UTC(2026, 0, 1) + run * 9 * hourMs).toISOString(),
    findings: whole.findings
      .filter((_, at) => at === present)
      .map((found) => Object.assign({}, found, { caseId: measured?.id ?? found.caseId })),
  };
}

/** Measures how long the list and the history of a thousand kept runs take to be there, from the opening of the file. */
export const measureHistory: Measure = async ({ runs, folder, say }) => {
  const file = path.join(folder, 'reports.sqlite');
  const whole = reportWith('a text of a server');
  const store = openReportStore(file);
  const startedAt = performance.now();
  for (let run = 0; run < COUNT; run += 1) {
    const { number } = store.add(server, reportOf(run, whole));
    store.pin(server, number, true);
  }
  const addMs = (performance.now() - startedAt) / COUNT;
  store.close();

  const lists: number[] = [];
  const histories: number[] = [];
  for (let turn = 0; turn < runs; turn += 1) {
    const before = performance.now();
    const opened = openReportStore(file);
    const kept = opened.kept();
    lists.push(performance.now() - before);
    const history = historyOf(opened.history(server), opened.known(server));
    histories.push(performance.now() - before);
    opened.close();
    say(`history: ${kept.length} kept runs, ${history.runs} in all`);
  }
  const { size } = await stat(file);
  return [
    figure('kept-run-added', 'ms', [addMs]),
    figure('kept-runs-1000-listed', 'ms', lists),
    figure('kept-runs-1000-history', 'ms', histories),
    figure('kept-runs-1000-size', 'MB', [size / MEGABYTE]),
  ];
};
