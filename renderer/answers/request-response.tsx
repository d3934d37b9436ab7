import { Button, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { RecordedCall } from '../../preload/contract/calls.ts';
import classes from './answers.module.css';
import { Body } from './body.tsx';
import { Redacted } from './redacted.tsx';
import { withPlainLines } from './redacted-text.ts';
import type { CallWords } from './say-call.ts';
import { UnderstoodAnswer } from './understood.tsx';

/** Shows one part of a call under its name. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={classes.section} aria-label={title}>
      <Title order={4} size="h6">
        {title}
      </Title>
      {children}
    </section>
  );
}

interface PartProps {
  call: RecordedCall;
  words: CallWords;
}

/** Shows what was sent. */
export function Request({ call, words }: PartProps) {
  const { t } = useTranslation();
  const { head, body } = call.request;
  return (
    <Section title={t('calls.request')}>
      {head.source === 'as-prepared' && (
        <Text size="xs" c="dimmed">
          {t('calls.asPrepared')}
        </Text>
      )}
      <div className={classes.wire}>
        <Redacted text={withPlainLines(head.text)} />
      </div>
      <Body label={t('calls.requestBody')} body={body} words={words} />
    </Section>
  );
}

/** Shows what came back, and what the application understood of it. */
export function Response({ call, words, onPinPlace }: PartProps & { onPinPlace?: (() => void) | undefined }) {
  const { t } = useTranslation();
  const { response, understood } = call;
  if (!response) return null;
  const { httpVersion, status, statusText, headers, body } = response;
  return (
    <Section title={t('calls.response')}>
      <div className={classes.wire}>
        <div>
          HTTP/{httpVersion} {status} <Redacted text={statusText} />
        </div>
        {headers.map(([name, value], index) => (
          // The same header may stand twice, and headers never change places.
          // oxlint-disable-next-line react/no-array-index-key
          <div key={index}>
            <bdi>{name}</bdi>: <Redacted text={value} />
          </div>
        ))}
      </div>
      <div className={classes.beside}>
        <div className={classes.section}>
          <Body label={t('calls.responseBody')} body={body} words={words} />
        </div>
        {understood && (
          <section className={classes.section} aria-label={t('understood.title')}>
            <Title order={5} size="h6">
              {t('understood.title')}
            </Title>
            <UnderstoodAnswer answer={understood} />
            {onPinPlace && (
              <Button className={classes.start} variant="default" size="compact-xs" onClick={onPinPlace}>
                {t('understood.pin')}
              </Button>
            )}
          </section>
        )}
      </div>
    </Section>
  );
}
