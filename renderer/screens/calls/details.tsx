import { Button, Text } from '@mantine/core';
import { type RefObject, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallSummary, RecordedCall } from '../../../preload/contract/calls.ts';
import type { HeldSession, Server } from '../../../preload/contract/models.ts';
import answerClasses from '../../answers/answers.module.css';
import { Fields } from '../../answers/fields.tsx';
import { Request, Response, Section } from '../../answers/request-response.tsx';
import { type CallWords, duringOf, phasesOf } from '../../answers/say-call.ts';
import appClasses from '../../app.module.css';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { Said } from '../../components/said.tsx';
import { serverName } from '../../server-name.ts';
import classes from './calls.module.css';
import { Comparison } from './comparison.tsx';
import { DetailsHead } from './details-head.tsx';
import { Outcome } from '../../answers/outcome.tsx';
import { EndsSessionDialog, MissingSecretsDialog } from './replay-dialogs.tsx';
import { sayChange } from './say-change.ts';
import { TimingBar } from './timing-bar.tsx';
import { type ShownDetails, useDetails } from './use-details.ts';

interface DetailsProps {
  id: string;
  pinned: boolean;
  servers: readonly Server[];
  sessions: readonly HeldSession[];
  words: CallWords;
  /** The heading takes the focus when this number rises, since a call was opened with the keyboard. */
  focusRequest: number;
  onPinned: (changed: CallSummary) => void;
  /** Leads to where a server's places can be pinned. */
  onPinPlace: (serverId: string) => void;
  onClose: () => void;
}

/** Shows one call as it went over the wire. */
export function Details(props: DetailsProps) {
  const { id, pinned, servers, sessions, words, focusRequest, onPinPlace, onClose } = props;
  const { t } = useTranslation();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const details = useDetails(props);
  const { answer, call, url, said, replay } = details;
  const { step } = replay;
  useEffect(() => {
    if (focusRequest > 0) headingRef.current?.focus();
  }, [focusRequest]);

  const server = servers.find((each) => each.id === call?.serverId);
  return (
    <article className={classes.details} aria-labelledby="call-heading">
      <DetailsHead
        details={details}
        id={id}
        pinned={pinned}
        sessions={sessions}
        headingRef={headingRef}
        onClose={onClose}
      />
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
          <Facts call={call} server={server} sessions={sessions} words={words} />
          <Replayed details={details} call={call} sessions={sessions} words={words} headingRef={headingRef} />
          <ShownCall call={call} url={url} server={server} words={words} onPinPlace={onPinPlace} />
        </>
      )}
    </article>
  );
}

interface FactsProps {
  call: RecordedCall;
  server: Server | undefined;
  sessions: readonly HeldSession[];
  words: CallWords;
}

/** Shows how the call ended, when, where, and where it came from. */
function Facts({ call, server, sessions, words }: FactsProps) {
  const { t } = useTranslation();
  return (
    <p className={classes.facts}>
      <Outcome call={{ status: call.response?.status, failure: call.failure?.kind }} />
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
  );
}

interface ReplayedProps {
  details: ShownDetails;
  call: RecordedCall;
  sessions: readonly HeldSession[];
  words: CallWords;
  headingRef: RefObject<HTMLHeadingElement | null>;
}

/** Shows the comparison of a replay with its original, or the way there. */
function Replayed({ details, call, sessions, words, headingRef }: ReplayedProps) {
  const { t } = useTranslation();
  const { beside, leaveComparison, compareWithOriginal } = details;
  return (
    <>
      {call.replayOf && !beside && (
        <Button
          className={answerClasses.start}
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
            leaveComparison();
            headingRef.current?.focus();
          }}
        />
      )}
    </>
  );
}

interface ShownCallProps {
  call: RecordedCall;
  url: string;
  server: Server | undefined;
  words: CallWords;
  onPinPlace: (serverId: string) => void;
}

/** Shows the call itself: why it failed, answer, request, times, connection. */
function ShownCall({ call, url, server, words, onPinPlace }: ShownCallProps) {
  const { t } = useTranslation();
  return (
    <>
      {call.failure && (
        <Message tone="error" announce="status">
          <ErrorText error={call.failure} during={duringOf(url)} />
        </Message>
      )}
      <Response call={call} words={words} onPinPlace={server && (() => onPinPlace(server.id))} />
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
