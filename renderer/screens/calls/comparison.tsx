import { Button, Text, Title, VisuallyHidden } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordedCall } from '../../../preload/contract/calls.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import type { Compared, ComparedAnswer, ComparedLine } from './compare.ts';
import answerClasses from '../../answers/answers.module.css';
import callClasses from './calls.module.css';
import classes from './comparison.module.css';
import { Redacted } from '../../answers/redacted.tsx';
import { Outcome } from '../../answers/outcome.tsx';
import { duringOf, type CallWords, urlText } from '../../answers/say-call.ts';

export interface ComparisonProps {
  original: RecordedCall;
  replay: RecordedCall;
  compared: Compared;
  /** What was different in the request. */
  change: string;
  words: CallWords;
  onClose: () => void;
}

const signs: Record<ComparedLine['mark'], string> = {
  same: ' ',
  added: '+',
  removed: '−',
  changed: '≠',
  expected: '~',
};

/** Shows the answer to a replay beside that to its original, with the differences marked, and takes the focus. */
export function Comparison({ original, replay, compared, change, words, onClose }: ComparisonProps) {
  const { t } = useTranslation();
  const headingRef = useRef<HTMLHeadingElement>(null);
  useEffect(() => headingRef.current?.focus(), []);
  return (
    <section className={answerClasses.section} aria-labelledby="comparison-heading">
      <div className={classes.comparisonHead}>
        <Title order={4} size="h6" id="comparison-heading" ref={headingRef} tabIndex={-1}>
          {t('replay.of', { change })}
        </Title>
        <Button variant="default" size="compact-xs" onClick={onClose}>
          {t('replay.close')}
        </Button>
      </div>
      <Text size="xs" c="dimmed" aria-hidden>
        {t('replay.legend')}
      </Text>
      <div className={classes.sides}>
        <Side title={t('replay.original')} call={original} answer={compared.original} words={words} />
        <Side title={t('replay.answer')} call={replay} answer={compared.replay} words={words} />
      </div>
      {compared.differsFurther && <Text size="xs">{t('replay.further')}</Text>}
    </section>
  );
}

interface SideProps {
  title: string;
  call: RecordedCall;
  answer: ComparedAnswer | undefined;
  words: CallWords;
}

function Side({ title, call, answer, words }: SideProps) {
  const { t } = useTranslation();
  const { failure, response, request, timings, startedAt } = call;
  return (
    <section className={answerClasses.section} aria-label={title}>
      <p className={callClasses.facts}>
        <Title order={5} size="h6">
          {title}
        </Title>
        <Outcome call={{ status: response?.status, failure: failure?.kind }} />
        <span>{words.wholeMoment(startedAt)}</span>
        <span>{words.duration(timings.totalMs)}</span>
      </p>
      {failure && (
        <Message tone={failure.kind === 'cancelled' ? 'info' : 'error'} announce="status">
          <ErrorText error={failure} during={duringOf(urlText(request.url))} />
        </Message>
      )}
      {answer ? (
        <>
          <Lines lines={[answer.status, ...answer.headers]} />
          {answer.body.length > 0 ? (
            <Lines lines={answer.body} />
          ) : (
            <Text size="sm" c="dimmed">
              {t('calls.noBody')}
            </Text>
          )}
          {answer.isCut && <Text size="xs">{t('replay.tooLong')}</Text>}
        </>
      ) : (
        <Text size="sm" c="dimmed">
          {t('replay.noAnswer')}
        </Text>
      )}
    </section>
  );
}

function Lines({ lines }: { lines: readonly ComparedLine[] }) {
  const { t } = useTranslation();
  return (
    <div className={answerClasses.wire}>
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
