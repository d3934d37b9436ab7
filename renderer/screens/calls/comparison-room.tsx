import { Button } from '@mantine/core';
import { useId, useMemo, useState } from 'react';
import type { AppState } from '../../../preload/contract/models.ts';
import { sayOutcome } from '../../answers/outcome.tsx';
import { type CallWords, urlText } from '../../answers/say-call.ts';
import { Chip } from '../../components/chip.tsx';
import { Room } from '../../components/room.tsx';
import { Said, type ActionOutcome } from '../../components/said.tsx';
import { useTexts } from '../../texts.tsx';
import { compareAnswers } from './compare.ts';
import { type Part, parts, Sides } from './comparison.tsx';
import classes from './comparison.module.css';
import { ReplayQuestions } from './replay-dialogs.tsx';
import { ReplayMenu } from './replay-menu.tsx';
import { sayChange } from './say-change.ts';
import type { ShownCalls } from './use-calls.ts';
import type { TwoCalls } from './use-comparison.ts';
import { useReplay } from './use-replay.ts';

interface ComparisonProps {
  calls: ShownCalls;
  two: TwoCalls;
  state: AppState;
  words: CallWords;
}

/** Says what is compared, such as "Replay: Without a token". */
function useTitle({ other, isReplay }: TwoCalls, { sessions }: AppState): string {
  const { t } = useTexts();
  return isReplay ? t('replay.of', { change: sayChange(other.replayOf?.change, sessions, t) }) : t('compare.title');
}

/** Shows in the whole room two calls beside each other. */
export function ComparisonRoom({ calls, two, state, words }: ComparisonProps) {
  const { t } = useTexts();
  const { comparing, focusDetails } = calls;
  const [part, setPart] = useState<Part>('response');
  const [said, setSaid] = useState<ActionOutcome>();
  return (
    <Room
      key={`${two.original.id} ${two.other.id}`}
      title={useTitle(two, state)}
      layout="panes"
      back={{
        label: t('compare.back'),
        onBack: () => {
          comparing.leave();
          focusDetails();
        },
      }}
      beside={<Outcomes two={two} />}
      actions={
        <>
          <PartChoice part={part} onChoose={setPart} />
          {two.isReplay && <ReplayAgain calls={calls} two={two} state={state} onSaid={setSaid} />}
        </>
      }
    >
      <div className={classes.whole}>
        <Sides two={two} part={part} words={words} />
        <Said outcome={said} />
      </div>
    </Room>
  );
}

/** Shows in the dock two calls below each other. */
export function DockedComparison({ calls, two, state, words }: ComparisonProps) {
  const { t } = useTexts();
  const { comparing, focusDetails } = calls;
  const [part, setPart] = useState<Part>('response');
  return (
    <section className={classes.docked} aria-labelledby="comparison-heading">
      <header className={classes.dockedHead}>
        <h2 id="comparison-heading" className={classes.title}>
          {useTitle(two, state)}
        </h2>
        <Outcomes two={two} />
        <PartChoice part={part} onChoose={setPart} />
        <Button
          variant="default"
          size="compact-sm"
          onClick={() => {
            comparing.leave();
            focusDetails();
          }}
        >
          {t('compare.back')}
        </Button>
      </header>
      <Sides two={two} part={part} words={words} />
    </section>
  );
}

function Outcomes({ two: { original, other } }: { two: TwoCalls }) {
  const { t } = useTexts();
  const { differences } = useMemo(() => compareAnswers(original.response, other.response), [original, other]);
  const [before, now] = [original, other].map(({ response, failure }) =>
    sayOutcome({ status: response?.status, failure: failure?.kind }, t),
  );
  return (
    <>
      <Chip tone={before === now ? 'plain' : 'warn'}>
        {before === now ? t('compare.sameOutcome', { now }) : t('compare.outcomes', { now, before })}
      </Chip>
      <Chip tone="outlined">{t('compare.differences', { number: differences })}</Chip>
    </>
  );
}

function PartChoice({ part, onChoose }: { part: Part; onChoose: (part: Part) => void }) {
  const { t } = useTexts();
  const name = useId();
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- A fieldset needs a legend on the screen.
    <div className={classes.parts} role="radiogroup" aria-label={t('compare.what')}>
      {parts.map((each) => (
        <label key={each}>
          <input type="radio" name={name} checked={each === part} onChange={() => onChoose(each)} />
          <span>{t(`calls.tab.${each}`)}</span>
        </label>
      ))}
    </div>
  );
}

interface ReplayAgainProps extends Omit<ComparisonProps, 'words'> {
  onSaid: (said: ActionOutcome | undefined) => void;
}

/** Replays the original once more, with another change. */
function ReplayAgain({ calls: { comparing }, two: { original }, state, onSaid }: ReplayAgainProps) {
  const { t } = useTexts();
  const url = urlText(original.request.url);
  const replay = useReplay({
    id: original.id,
    url,
    onSending: () => {
      onSaid(undefined);
      comparing.setSentence(t('replay.sending'));
    },
    onSent: (sent) => comparing.showReplay(original, sent),
    onFailed: (error) => {
      comparing.setSentence('');
      onSaid({ error });
    },
  });
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
        onChoose={replay.start}
        onFailed={(error) => onSaid({ error })}
      />
      <ReplayQuestions replay={replay} host={URL.canParse(url) ? new URL(url).host : ''} />
    </>
  );
}
