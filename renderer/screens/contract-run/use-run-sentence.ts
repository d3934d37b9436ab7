import type { ReportWords } from '../../../preload/contract/words/say-report.ts';
import { sayLength } from '../../say-length.ts';
import { useTexts } from '../../texts.tsx';
import { summaryOf } from './summary.ts';
import { useAnnouncement } from './use-announcement.ts';
import type { RunView } from './use-run-view.ts';

/** Says how far a run is and how it ended, for those who hear it. */
export function useRunSentence({ underWay, endedId, reportOf }: RunView, words: ReportWords): string {
  const { t, i18n } = useTexts();

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
