import { Text, VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import type { RecordedCall } from '../../../preload/contract/calls.ts';
import answerClasses from '../../answers/answers.module.css';
import { Outcome } from '../../answers/outcome.tsx';
import { Redacted } from '../../answers/redacted.tsx';
import { Section } from '../../answers/request-response.tsx';
import { duringOf, phasesOf, urlText } from '../../answers/call-text.ts';
import { callFormatters } from '../../format.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { compareAnswers, type ComparedLine, type ComparedMessage, compareRequests } from './compare.ts';
import classes from './comparison.module.css';
import { Connection } from './connection.tsx';
import { TimingBar } from './timing-bar.tsx';
import type { TwoCalls } from './use-calls.ts';
import { t } from '../../i18n.ts';

/** What of two calls is shown beside each other. */
export const parts = ['response', 'request', 'timing'] as const;
export type Part = (typeof parts)[number];

const signs: Record<ComparedLine['mark'], string> = {
  same: ' ',
  added: '+',
  removed: '−',
  changed: '≠',
  expected: '~',
};

interface SidesProps {
  two: TwoCalls;
  part: Part;
}

/** Shows two calls beside each other, with the differences marked. */
export function Sides({ two: { original, other, isReplay }, part }: SidesProps) {
  const compared = useMemo(
    () =>
      part === 'request'
        ? compareRequests(original.request, other.request)
        : compareAnswers(original.response, other.response),
    [part, original, other],
  );
  const names = isReplay
    ? { original: t('replay.original'), other: t('replay.answer') }
    : { original: t('compare.earlier'), other: t('compare.later') };
  return (
    // It scrolls by the keys too, where nothing in it takes the focus.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex, jsx-a11y/prefer-tag-over-role
    <div className={classes.sides} tabIndex={0} role="group" aria-label={t(`calls.tab.${part}`)}>
      {(['original', 'other'] as const).map((side) => {
        const call = side === 'original' ? original : other;
        return (
          <section key={side} aria-label={names[side]}>
            <SideHead title={names[side]} call={call} />
            {part === 'timing' ? (
              <>
                <TimingBar phases={phasesOf(call.timings, call.failure !== undefined)} totalMs={call.timings.totalMs} />
                <Connection call={call} />
              </>
            ) : (
              <OneSide message={compared[side]} failure={part === 'response' ? call.failure : undefined} call={call} />
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

interface SideHeadProps {
  title: string;
  call: RecordedCall;
}

function SideHead({ title, call: { response, failure, request, timings, startedAt } }: SideHeadProps) {
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
  failure: RecordedCall['failure'];
  call: RecordedCall;
}

function OneSide({ message, failure, call }: OneSideProps) {
  return (
    <>
      {failure && (
        <Message tone={failure.kind === 'cancelled' ? 'info' : 'error'} announce="status">
          <ErrorText error={failure} during={duringOf(urlText(call.request.url))} />
        </Message>
      )}
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
        // What was compared never changes.
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
