import { useTranslation } from 'react-i18next';
import type { ReportWords } from '../../../preload/contract/words/say-report.ts';
import { sayLength } from '../../say-length.ts';
import type { RunView } from './use-run-view.ts';
import { useEffect, useRef, useState } from 'react';
import type { CaseResult } from '../../../preload/contract/report-cases.ts';
import type { ShownReport } from '../../../preload/contract/contract-runs.ts';

/** Says how far a run is and how it ended, for those who hear it. */
export function useRunSentence({ underWay, endedId, reportOf }: RunView, words: ReportWords): string {
  const { t, i18n } = useTranslation();

  function sentence(): string {
    if (underWay?.cancelled) return t('run.cancelling');
    if (underWay?.caseId) return t('run.again', { title: words.case(underWay.caseId) });
    if (underWay) {
      const { casesDone, casesPlanned, callsMade, secondsLeft } = underWay.progress;
      const cases = t('contract.casesEnding', { done: casesDone, count: casesPlanned });
      const counts = t('run.counts', { cases, count: callsMade });
      return `${counts}, ${t('run.left', { time: sayLength(secondsLeft, i18n.language) })}`;
    }
    const ended = endedId === undefined ? undefined : reportOf(endedId);
    if (!ended) return '';
    const summary = summaryOf(ended, words).map(({ label, text }) => `${label}: ${text}.`);
    return t('run.ended', { summary: summary.join(' ') });
  }

  return useAnnouncement(sentence(), !underWay || underWay.cancelled);
}

/** Milliseconds between two sentences about what goes on. */
const quiet = 10_000;

/**
 * Returns what a live region is to say of something that changes several times a second: the newest every ten seconds,
 * and what is `urgent` at once.
 */
function useAnnouncement(text: string, urgent: boolean): string {
  const [said, setSaid] = useState('');
  const lastAt = useRef(-Infinity);
  useEffect(() => {
    const now = performance.now();
    if (text === '' || (!urgent && now - lastAt.current < quiet)) return;
    lastAt.current = now;
    setSaid(text);
  }, [text, urgent]);
  return said;
}

function summaryOf(
  { cases, findings }: Pick<ShownReport, 'cases' | 'findings'>,
  { texts }: ReportWords,
): { label: string; text: string }[] {
  const count = (kind: CaseResult['kind'], outcome: CaseResult['outcome']): number =>
    cases.filter((each) => each.kind === kind && each.outcome === outcome).length;
  const found = { high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity } of findings) found[severity] += 1;
  const t = texts('report');
  return [
    {
      label: t('stated'),
      text: t('statedCount', {
        passed: count('stated', 'passed'),
        failed: count('stated', 'failed'),
        notMeasured: count('stated', 'not-measured'),
      }),
    },
    {
      label: t('observed'),
      text: t('observedCount', {
        answered: count('observed', 'answered'),
        notMeasured: count('observed', 'not-measured'),
      }),
    },
    { label: t('findings'), text: t('findingsCount', found) },
  ];
}
