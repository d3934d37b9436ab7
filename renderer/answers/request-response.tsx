import { DataList, Text } from '@mantine/core';
import { createElement, type ReactNode } from 'react';
import type { RecordedCall, RedactedText, InterpretationTrace } from '../../preload/contract/calls.ts';
import classes from './answers.module.css';
import { MessageBody } from './body.tsx';
import { Redacted } from './redacted.tsx';
import { splitLines } from './json-lines.ts';
import { headerNameOf, withPlainLines } from './redacted-text.ts';
import { ruleText } from '../rule-text.ts';
import { t } from '../i18n.ts';

interface SectionProps {
  title: string;
  /** Heading level. */
  level?: 3 | 4;
  children: ReactNode;
}

export function Section({ title, level = 4, children }: SectionProps) {
  return (
    <section className="column slim gap8" aria-label={title}>
      {createElement(`h${level}`, { className: classes.title }, title)}
      {children}
    </section>
  );
}

export function Fields({ fields }: { fields: readonly { label: string; value: ReactNode }[] }) {
  return (
    <DataList withDivider labelWidth="33%" gap="xs" className="anywhere">
      {fields.map(({ label, value }) => (
        <DataList.Item key={label}>
          <DataList.ItemLabel>{label}</DataList.ItemLabel>
          <DataList.ItemValue>{value}</DataList.ItemValue>
        </DataList.Item>
      ))}
    </DataList>
  );
}

export function Request({ call }: { call: RecordedCall }) {
  return (
    <Section title={t('calls.request')}>
      <RequestHead call={call} />
      <MessageBody label={t('calls.requestBody')} body={call.request.body} />
    </Section>
  );
}

export function RequestHead({ call }: { call: RecordedCall }) {
  const { head, added, moreHeaders } = call.request;
  return (
    <>
      {head.source === 'as-prepared' && (
        <Text size="xs" c="dimmed">
          {t('calls.asPrepared')}
        </Text>
      )}
      <div className={classes.wire}>
        {added ? <HeadWithMarks text={head.text} added={added} /> : <Redacted text={withPlainLines(head.text)} />}
        <MoreHeaders count={moreHeaders} />
      </div>
    </>
  );
}

/** Marks the extra headers that are configured for the server. */
function HeadWithMarks({ text, added }: { text: RedactedText; added: readonly string[] }) {
  return splitLines(withPlainLines(text)).map((line, index) => (
    // A recorded head never changes, so a line keeps its index.
    // oxlint-disable-next-line react/no-array-index-key
    <div key={index}>
      <Redacted text={line} />
      {index > 0 && added.includes(headerNameOf(line)) && <span className={classes.added}>{t('calls.added')}</span>}
    </div>
  ));
}

/** The response, with its interpretation beside the body. */
export function Response({ call }: { call: RecordedCall }) {
  const { response, understood } = call;
  if (!response) return null;
  return (
    <Section title={t('calls.response')}>
      <ResponseHead response={response} />
      <div className={classes.beside}>
        <div className="column slim gap8">
          <MessageBody label={t('calls.responseBody')} body={response.body} />
        </div>
        {understood && (
          <section className="column slim gap8" aria-label={t('understood.title')}>
            <h5 className={classes.title}>{t('understood.title')}</h5>
            <UnderstoodAnswer answer={understood} />
          </section>
        )}
      </div>
    </Section>
  );
}

export function ResponseHead({ response }: { response: NonNullable<RecordedCall['response']> }) {
  const { httpVersion, status, headers, moreHeaders } = response;
  return (
    <div className={classes.wire}>
      <div>
        HTTP/{httpVersion} {status}
      </div>
      {headers.map(([name, value], index) => (
        // A header may occur twice, and the order never changes.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index}>
          <bdi>{name}</bdi>: <Redacted text={value} />
        </div>
      ))}
      <MoreHeaders count={moreHeaders} />
    </div>
  );
}

/** Number of headers that were not stored. */
function MoreHeaders({ count }: { count: number | undefined }) {
  if (count === undefined) return null;
  return (
    <Text size="xs" c="dimmed">
      {t('calls.moreHeaders', { count })}
    </Text>
  );
}

/** The verdict and the found values, each with its rule. */
function UnderstoodAnswer({ answer }: { answer: InterpretationTrace }) {
  const { verdict, rule, found } = answer;
  return (
    <Fields
      fields={[
        { label: t('understood.verdict'), value: <Finding place={verdict} rule={rule} /> },
        ...found.map((each) => ({
          label: t(`understood.${each.what}`),
          value: <Finding place={each.path} rule={each.rule} />,
        })),
      ]}
    />
  );
}

function Finding({ place, rule }: { place: string; rule: string }) {
  return (
    <>
      <Text inherit ff="monospace">
        <bdi>{place}</bdi>
      </Text>
      <Text size="xs" c="dimmed">
        {ruleText(rule)}
      </Text>
    </>
  );
}
