import { Button, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary, RecordedCall, ReplayChange } from '../../../preload/contract/calls.ts';
import type { Server, HeldSession } from '../../../preload/contract/models.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import appClasses from '../../app.module.css';
import { ErrorText } from '../../components/error-message.tsx';
import { PinIcon } from '../../components/icons.tsx';
import { Message } from '../../components/message.tsx';
import { serverName } from '../../server-name.ts';
import { Fields } from '../profile/fields.tsx';
import { UnderstoodAnswer } from '../profile/understood.tsx';
import { Body } from './body.tsx';
import { compareAnswers } from './compare.ts';
import { Comparison, type ComparisonProps } from './comparison.tsx';
import { CopyMenu } from './copy-menu.tsx';
import classes from './calls.module.css';
import { Redacted } from './redacted.tsx';
import { withPlainLines } from './redacted-text.ts';
import { sayChange } from './say-change.ts';
import { duringOf, type CallWords, phasesOf, urlText } from './say-call.ts';
import { EndsSessionDialog, MissingSecretsDialog } from './replay-dialogs.tsx';
import { ReplayMenu } from './replay-menu.tsx';
import { Outcome, sayOutcome } from './rows.tsx';
import { Said, type ActionOutcome } from './said.tsx';
import { TimingBar } from './timing-bar.tsx';
import { useReplay } from './use-replay.ts';

interface DetailsProps {
  id: string;
  pinned: boolean;
  servers: readonly Server[];
  sessions: readonly HeldSession[];
  words: CallWords;
  /** The heading takes the focus when it rises: a call was opened with the keyboard. */
  focusRequest: number;
  onPinned: (changed: CallSummary) => void;
  /** Leads to where a server's places can be pinned. */
  onPinPlace: (serverId: string) => void;
  onClose: () => void;
}

/** With these a logout names no session that it could end. */
const withoutToken: ReadonlySet<ReplayChange['change'] | undefined> = new Set(['no-token', 'broken-token'] as const);

/** One call, as it went over the wire. */
export function Details(props: DetailsProps) {
  const { id, pinned, servers, sessions, words, focusRequest, onPinned, onPinPlace, onClose } = props;
  const { t } = useTranslation();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const [answer, setAnswer] = useState<Result<RecordedCall>>();
  const [said, setSaid] = useState<ActionOutcome>();
  const [beside, setBeside] = useState<Pick<ComparisonProps, 'original' | 'replay' | 'compared'>>();

  useEffect(() => {
    let left = false;
    void api.calls.get({ id }).then((result) => {
      if (!left) setAnswer(result);
    });
    return () => {
      left = true;
    };
  }, [id]);
  useEffect(() => {
    if (focusRequest > 0) headingRef.current?.focus();
  }, [focusRequest]);

  async function pin() {
    const result = await api.calls.pin({ id, pinned: !pinned });
    if (result.ok) onPinned(result.value);
    else setAnswer(result);
  }

  const call = answer?.ok ? answer.value : undefined;
  const url = urlText(call?.request.url ?? []);

  function showBeside(original: RecordedCall, replay: RecordedCall) {
    const { response, failure } = replay;
    const outcome = sayOutcome(
      { ...(response && { status: response.status }), ...(failure && { failure: failure.kind }) },
      t,
    );
    const compared = compareAnswers(original.response, response);
    const { differences } = compared;
    setBeside({ original, replay, compared });
    const sentence =
      differences === 0 ? t('replay.same', { outcome }) : t('replay.differs', { outcome, number: differences });
    setSaid({ sentence: response ? sentence : t('replay.unanswered', { outcome }) });
  }

  async function compareWithOriginal(replay: RecordedCall, originalId: string) {
    const original = await api.calls.get({ id: originalId });
    if (original.ok) showBeside(original.value, replay);
    else setSaid({ sentence: t('replay.originalGone') });
  }

  const replay = useReplay({
    id,
    endsSession: (change) => duringOf(url) === 'logout' && !withoutToken.has(change?.change),
    onSending: () => {
      setBeside(undefined);
      setSaid(undefined);
    },
    onSent: (sent) => call && showBeside(call, sent),
    onFailed: (error) => setSaid({ error }),
  });
  const { step } = replay;
  const server = servers.find((each) => each.id === call?.serverId);
  return (
    <article className={classes.details} aria-labelledby="call-heading">
      <div className={classes.detailsHead}>
        <Title order={3} size="h6" id="call-heading" ref={headingRef} tabIndex={-1} className={classes.heading}>
          {call ? (
            <>
              {call.request.method} <Redacted text={call.request.url} />
            </>
          ) : (
            t(answer ? 'calls.goneTitle' : 'calls.loading')
          )}
        </Title>
        <Group gap="xs" wrap="nowrap">
          {step.step === 'sending' && (
            <Button variant="default" size="compact-xs" onClick={replay.cancel}>
              {t('replay.stop')}
            </Button>
          )}
          {call && (
            <>
              <ReplayMenu
                id={id}
                sessions={sessions}
                sending={step.step === 'sending'}
                onChoose={replay.start}
                onFailed={(error) => setSaid({ error })}
              />
              <CopyMenu
                id={id}
                onCopied={(sentence) => setSaid({ sentence })}
                onFailed={(error) => setSaid({ error })}
              />
            </>
          )}
          {call && (
            <Button
              variant={pinned ? 'filled' : 'default'}
              size="compact-xs"
              aria-pressed={pinned}
              leftSection={<PinIcon />}
              onClick={() => void pin()}
            >
              {t('calls.pin')}
            </Button>
          )}
          <Button variant="default" size="compact-xs" onClick={onClose}>
            {t('calls.back')}
          </Button>
        </Group>
      </div>
      <Said outcome={step.step === 'sending' ? { sentence: t('replay.sending') } : said} />
      {step.step === 'confirming' && (
        <EndsSessionDialog onSend={() => void replay.send(step.change)} onClose={replay.leave} />
      )}
      {step.step === 'asking' && (
        <MissingSecretsDialog
          missing={step.missing}
          host={new URL(url).host}
          onSend={(secrets) => void replay.send(step.change, secrets)}
          onClose={replay.leave}
        />
      )}
      {answer && !answer.ok && (
        <Message tone="info">
          {answer.error.kind === 'not-now' ? (
            <Text size="sm">{t('calls.gone')}</Text>
          ) : (
            <ErrorText error={answer.error} during="server" />
          )}
        </Message>
      )}
      {call && (
        <>
          <p className={classes.facts}>
            <Outcome
              call={{
                ...(call.response && { status: call.response.status }),
                ...(call.failure && { failure: call.failure.kind }),
              }}
            />
            <span>{words.wholeMoment(call.startedAt)}</span>
            {server && (
              <span>
                <span className={appClasses.swatch} data-colour={server.colour} aria-hidden />{' '}
                <bdi>{serverName(server, t)}</bdi>
              </span>
            )}
            {call.replayOf && <span>{t('replay.of', { change: sayChange(call.replayOf.change, sessions, t) })}</span>}
            {call.contractRun && <span>{t('calls.ofContractRun')}</span>}
          </p>
          {call.replayOf && !beside && (
            <Button
              className={classes.start}
              variant="default"
              size="compact-xs"
              onClick={() => call.replayOf && void compareWithOriginal(call, call.replayOf.id)}
            >
              {t('replay.compare')}
            </Button>
          )}
          {beside && (
            <Comparison
              {...beside}
              change={sayChange(beside.replay.replayOf?.change, sessions, t)}
              words={words}
              onClose={() => {
                setBeside(undefined);
                headingRef.current?.focus();
              }}
            />
          )}
          {call.failure && (
            <Message tone="error" announce="status">
              <ErrorText error={call.failure} during={duringOf(url)} />
            </Message>
          )}
          <Response call={call} words={words} {...(server && { onPinPlace: () => onPinPlace(server.id) })} />
          <Request call={call} words={words} />
          <Section title={t('calls.timing')}>
            <TimingBar
              phases={phasesOf(call.timings, call.failure !== undefined)}
              totalMs={call.timings.totalMs}
              words={words}
            />
          </Section>
          <Connection call={call} />
        </>
      )}
    </article>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
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

export function Response({ call, words, onPinPlace }: PartProps & { onPinPlace?: () => void }) {
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

function Connection({ call }: { call: RecordedCall }) {
  const { t, i18n } = useTranslation();
  const { remote, proxy, security, reusedConnection } = call;
  const certificate = security?.certificate;
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' });
  const period = certificate && date.formatRange(new Date(certificate.validFrom), new Date(certificate.validTo));
  const rows: [string, string | undefined][] = [
    [t('calls.remote'), remote],
    [t('calls.proxy'), proxy ?? t('calls.noProxy')],
    [t('calls.connectionUse'), t(reusedConnection ? 'calls.reused' : 'calls.new')],
    [t('calls.encryption'), security?.protocol ?? t('calls.plain')],
    [t('calls.trust'), security?.pinned ? t('calls.byCertificate') : undefined],
    [t('certificate.subject'), certificate?.subject],
    [t('certificate.issuer'), certificate?.issuer],
    [t('certificate.names'), certificate?.names.join(', ')],
    [t('certificate.valid'), period],
    [t('certificate.sha256'), certificate?.sha256],
  ];
  const known = rows.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value: <bdi>{value}</bdi> }]));
  return (
    <Section title={t('calls.connection')}>
      <Fields fields={known} />
    </Section>
  );
}
