import { Button } from '@mantine/core';
import { useMemo, useState } from 'react';
import { outcomeText } from '../../answers/outcome.tsx';
import { Chip } from '../../components/chip.tsx';
import { Page } from '../../components/page.tsx';
import { Segments } from '../../components/segments.tsx';
import { Said } from '../../components/said.tsx';
import { compareAnswers } from './compare.ts';
import { type Part, parts, Sides } from './comparison.tsx';
import classes from './comparison.module.css';
import { ReplayMenu } from './replay-menu.tsx';
import { sayReplay } from './say-change.ts';
import type { ShownCalls, TwoCalls } from './use-calls.ts';
import { t } from '../../i18n.ts';
import { useApp } from '../../api.ts';

interface ComparisonProps {
  calls: ShownCalls;
  two: TwoCalls;
}

/** Says what is compared, such as "Replay: Without a token". */
function useTitle({ other, isReplay }: TwoCalls): string {
  const { sessions } = useApp();
  return isReplay ? sayReplay(other.replayOf?.change, sessions) : t('compare.title');
}

/** Shows in the whole room two calls beside each other. */
export function ComparisonPage({ calls, two }: ComparisonProps) {
  const [part, setPart] = useState<Part>('response');
  return (
    <Page
      key={`${two.original.id} ${two.other.id}`}
      title={useTitle(two)}
      layout="panes"
      back={{ label: t('compare.back'), onBack: calls.backToCall }}
      beside={<Outcomes two={two} />}
      actions={
        <>
          <PartChoice part={part} onChoose={setPart} />
          {two.isReplay && <ReplayAgain calls={calls} two={two} />}
        </>
      }
    >
      <div className={classes.whole}>
        <Sides two={two} part={part} />
        <Said outcome={two.said} />
      </div>
    </Page>
  );
}

/** Shows in the dock two calls below each other. */
export function DockedComparison({ calls, two }: ComparisonProps) {
  const [part, setPart] = useState<Part>('response');
  return (
    <section className={classes.docked} aria-labelledby="comparison-heading">
      <header className={classes.dockedHead}>
        <h2 id="comparison-heading" className="flush title heading">
          {useTitle(two)}
        </h2>
        <Outcomes two={two} />
        <PartChoice part={part} onChoose={setPart} />
        <Button variant="default" size="compact-sm" onClick={calls.backToCall}>
          {t('compare.back')}
        </Button>
      </header>
      <Sides two={two} part={part} />
    </section>
  );
}

function Outcomes({ two: { original, other } }: { two: TwoCalls }) {
  const { differences } = useMemo(() => compareAnswers(original.response, other.response), [original, other]);
  const [before, now] = [original, other].map(({ response, failure }) =>
    outcomeText({ status: response?.status, failure: failure?.kind }),
  );
  return (
    <>
      <Chip tone={before === now ? 'plain' : 'warn'}>
        {before === now ? t('compare.sameOutcome', { now }) : t('compare.outcomes', { now, before })}
      </Chip>
      <Chip>{t('compare.differences', { number: differences })}</Chip>
    </>
  );
}

function PartChoice({ part, onChoose }: { part: Part; onChoose: (part: Part) => void }) {
  const choices = parts.map((value) => ({ value, label: t(`calls.tab.${value}`) }));
  return <Segments label={t('compare.what')} choices={choices} value={part} onChange={onChoose} />;
}

/** Replays the original once more, with another change. */
function ReplayAgain({ calls: { replay, say }, two: { original } }: ComparisonProps) {
  const state = useApp();
  const isSending = replay.step.step === 'sending';
  return (
    <>
      {isSending && (
        <Button variant="default" size="compact-sm" onClick={replay.cancel}>
          {t('replay.stop')}
        </Button>
      )}
      <ReplayMenu
        id={original.id}
        sessions={state.sessions}
        sending={isSending}
        onChoose={(change) => replay.start(original, change)}
        onFailed={(error) => say({ error })}
      />
    </>
  );
}
