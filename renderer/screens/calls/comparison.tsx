import { Button, Text, VisuallyHidden, SegmentedControl } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { RecordedCall } from '../../../preload/contract/calls.ts';
import answerClasses from '../../answers/answers.module.css';
import { CallFailure } from '../../answers/call-failure.tsx';
import { Outcome, outcomeText } from '../../answers/outcome.tsx';
import { Redacted } from '../../answers/redacted.tsx';
import { Section } from '../../answers/request-response.tsx';
import { Chip } from '../../components/chip.tsx';
import { Page } from '../../components/page.tsx';
import { callFormatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import { ActionFailure, SendAgain } from './call-actions.tsx';
import { backToCall, type Comparison, isSending, useCalls } from './calls-store.ts';
import { compareResponses, type ComparedLine, type ComparedMessage, compareRequests } from './compare.ts';
import classes from './comparison.module.css';
import { replayText } from './row.tsx';
import { Timing } from './timing.tsx';

const parts = ['response', 'request', 'timing'] as const;
type Part = (typeof parts)[number];

/** Two calls side by side, on a whole page. */
export function ComparisonPage({ comparison }: { comparison: Comparison }) {
  const [part, setPart] = useState<Part>('response');
  return (
    <Page
      title={titleOf(comparison)}
      layout="panes"
      back={{ label: t('compare.back'), onBack: backToCall }}
      beside={<Outcomes {...comparison} />}
      actions={
        <>
          <PartChoice part={part} onChoose={setPart} />
          {comparison.isReplay && <SendAgain call={comparison.original} />}
        </>
      }
    >
      <div className={classes.whole}>
        <ActionFailure />
        <Sides {...comparison} part={part} />
      </div>
    </Page>
  );
}

/** Two calls below each other, in the dock. */
export function DockedComparison({ comparison }: { comparison: Comparison }) {
  const [part, setPart] = useState<Part>('response');
  return (
    <section className={classes.whole} aria-labelledby="comparison-heading">
      <header className={classes.dockedHead}>
        <h2 id="comparison-heading" className="flush title heading">
          {titleOf(comparison)}
        </h2>
        <Outcomes {...comparison} />
        <PartChoice part={part} onChoose={setPart} />
        <Button variant="default" size="compact-sm" onClick={backToCall}>
          {t('compare.back')}
        </Button>
      </header>
      <Sides {...comparison} part={part} />
    </section>
  );
}

/** Live region: the result of a comparison, or that a replay is being sent. */
export function ComparisonStatus() {
  const comparison = useCalls((state) => state.comparison);
  const sending = useCalls(isSending);
  const hasFailed = useCalls(({ failure }) => failure !== undefined);
  const text = sending ? t('replay.sending') : comparison && !hasFailed ? resultText(comparison) : '';
  return <VisuallyHidden component="output">{text}</VisuallyHidden>;
}

function resultText({ original, other: { response, failure }, isReplay }: Comparison): string {
  const outcome = outcomeText({ status: response?.status, failure: failure?.kind });
  if (!response) return t('replay.unanswered', { outcome });
  const { differences } = compareResponses(original.response, response);
  if (differences === 0) return t(isReplay ? 'replay.same' : 'compare.same', { outcome });
  return t(isReplay ? 'replay.differs' : 'compare.differs', { outcome, number: differences });
}

const titleOf = ({ other, isReplay }: Comparison): string =>
  isReplay ? replayText(other.replayOf ?? { id: '' }) : t('compare.title');

function Outcomes({ original, other }: Comparison) {
  const { differences } = useMemo(() => compareResponses(original.response, other.response), [original, other]);
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
  return <SegmentedControl aria-label={t('compare.what')} data={choices} value={part} onChange={onChoose} />;
}

const signs: Record<ComparedLine['mark'], string> = {
  same: ' ',
  added: '+',
  removed: '−',
  changed: '≠',
  expected: '~',
};

function Sides({ original, other, isReplay, part }: Comparison & { part: Part }) {
  const compared = useMemo(
    () =>
      part === 'request'
        ? compareRequests(original.request, other.request)
        : compareResponses(original.response, other.response),
    [part, original, other],
  );
  const names = isReplay
    ? { original: t('replay.original'), other: t('replay.answer') }
    : { original: t('compare.earlier'), other: t('compare.later') };
  return (
    // Focusable, so that it can be scrolled by keys even if nothing in it takes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role
    <div className={classes.sides} tabIndex={0} role="group" aria-label={t(`calls.tab.${part}`)}>
      {(['original', 'other'] as const).map((side) => {
        const call = side === 'original' ? original : other;
        return (
          <section key={side} className={classes.side} aria-label={names[side]}>
            <SideHead title={names[side]} call={call} />
            {part === 'timing' ? (
              <Timing call={call} />
            ) : (
              <OneSide message={compared[side]} call={call} showsFailure={part === 'response'} />
            )}
            {side === 'other' && part !== 'timing' && (
              <Text size="xs" c="dimmed">
                {compared.differsFurther && `${t('replay.further')} `}
                {t(isReplay ? 'replay.legend' : 'compare.legend')}
              </Text>
            )}
          </section>
        );
      })}
    </div>
  );
}

function SideHead({ title, call }: { title: string; call: RecordedCall }) {
  const { response, failure, request, timings, startedAt } = call;
  const words = callFormatters();
  return (
    <>
      <div className={classes.sideHead}>
        <h2 className="flush title heading">{title}</h2>
        <Outcome call={{ status: response?.status, failure: failure?.kind }} />
        <span className="far hint digits">
          {words.wholeMoment(startedAt)}, {words.duration(timings.totalMs)}
        </span>
      </div>
      <p className={classes.address}>
        <b>{request.method}</b> <Redacted text={request.url} />
      </p>
    </>
  );
}

interface OneSideProps {
  message: ComparedMessage | undefined;
  call: RecordedCall;
  showsFailure: boolean;
}

function OneSide({ message, call, showsFailure }: OneSideProps) {
  return (
    <>
      {showsFailure && <CallFailure call={call} />}
      {message ? (
        <>
          <Section title={t('calls.headers')} level={3}>
            <Lines lines={[message.first, ...message.headers]} />
          </Section>
          <Section title={t('calls.body')} level={3}>
            {message.body.length > 0 ? (
              <Lines lines={message.body} />
            ) : (
              <Text size="sm" c="dimmed">
                {t('calls.noBody')}
              </Text>
            )}
            {message.isCut && <Text size="xs">{t('replay.tooLong')}</Text>}
          </Section>
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t('replay.noAnswer')}
        </Text>
      )}
    </>
  );
}

function Lines({ lines }: { lines: readonly ComparedLine[] }) {
  return (
    <div className={answerClasses.code}>
      {lines.map(({ text, mark, another }, index) => (
        // A comparison never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.comparedLine} data-mark={mark}>
          <span aria-hidden className={classes.sign}>
            {signs[mark]}
          </span>
          <span>
            {mark !== 'same' && <VisuallyHidden>{t(`replay.mark.${mark}`)}: </VisuallyHidden>}
            <Redacted text={text} />
            {another.map((secret) => (
              <em key={secret} className={classes.another}>
                {' '}
                {t(`replay.another.${secret}`)}
              </em>
            ))}
          </span>
        </div>
      ))}
    </div>
  );
}
