import { Button, Group, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ExchangeSummary, RecordedExchange, ReplayChange } from '../../../preload/contract/exchanges.ts';
import type { Environment, HeldSession } from '../../../preload/contract/models.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import appClasses from '../../app.module.css';
import { ErrorText } from '../../components/error-message.tsx';
import { PinIcon } from '../../components/icons.tsx';
import { Message } from '../../components/message.tsx';
import { environmentName } from '../../environment-name.ts';
import { Fields } from '../profile/fields.tsx';
import { UnderstoodAnswer } from '../profile/understood.tsx';
import { Body } from './body.tsx';
import { compareAnswers } from './compare.ts';
import { Comparison, type ComparisonProps } from './comparison.tsx';
import { CopyMenu } from './copy-menu.tsx';
import classes from './exchanges.module.css';
import { Redacted } from './redacted.tsx';
import { withPlainLines } from './redacted-text.ts';
import { sayChange } from './say-change.ts';
import { duringOf, type ExchangeWords, phasesOf, urlText } from './say-exchange.ts';
import { EndsSessionDialog, MissingSecretsDialog } from './replay-dialogs.tsx';
import { ReplayMenu } from './replay-menu.tsx';
import { Outcome, sayOutcome } from './rows.tsx';
import { Said, type ActionOutcome } from './said.tsx';
import { TimingBar } from './timing-bar.tsx';
import { useReplay } from './use-replay.ts';

interface DetailsProps {
  id: string;
  pinned: boolean;
  environments: readonly Environment[];
  sessions: readonly HeldSession[];
  words: ExchangeWords;
  /** The heading takes the focus when it rises: an exchange was opened with the keyboard. */
  focusRequest: number;
  onPinned: (changed: ExchangeSummary) => void;
  /** Leads to where an environment's places can be pinned. */
  onPinPlace: (environmentId: string) => void;
  onClose: () => void;
}

/** With these a logout names no session that it could end. */
const withoutToken: ReadonlySet<ReplayChange['change'] | undefined> = new Set(['no-token', 'broken-token'] as const);

/** One exchange, as it went over the wire. */
export function Details(props: DetailsProps) {
  const { id, pinned, environments, sessions, words, focusRequest, onPinned, onPinPlace, onClose } = props;
  const { t } = useTranslation();
  const headingRef = useRef<HTMLHeadingElement>(null);
  const [answer, setAnswer] = useState<Result<RecordedExchange>>();
  const [said, setSaid] = useState<ActionOutcome>();
  const [beside, setBeside] = useState<Pick<ComparisonProps, 'original' | 'replay' | 'compared'>>();

  useEffect(() => {
    let left = false;
    void api.exchanges.get(id).then((result) => {
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
    const result = await api.exchanges.pin(id, !pinned);
    if (result.ok) onPinned(result.value);
    else setAnswer(result);
  }

  const exchange = answer?.ok ? answer.value : undefined;
  const url = urlText(exchange?.request.url ?? []);

  function showBeside(original: RecordedExchange, replay: RecordedExchange) {
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

  async function compareWithOriginal(replay: RecordedExchange, originalId: string) {
    const original = await api.exchanges.get(originalId);
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
    onSent: (sent) => exchange && showBeside(exchange, sent),
    onFailed: (error) => setSaid({ error }),
  });
  const { step } = replay;
  const environment = environments.find((each) => each.id === exchange?.environmentId);
  return (
    <article className={classes.details} aria-labelledby="exchange-heading">
      <div className={classes.detailsHead}>
        <Title order={3} size="h6" id="exchange-heading" ref={headingRef} tabIndex={-1} className={classes.heading}>
          {exchange ? (
            <>
              {exchange.request.method} <Redacted text={exchange.request.url} />
            </>
          ) : (
            t(answer ? 'exchanges.goneTitle' : 'exchanges.loading')
          )}
        </Title>
        <Group gap="xs" wrap="nowrap">
          {step.step === 'sending' && (
            <Button variant="default" size="compact-xs" onClick={replay.cancel}>
              {t('replay.stop')}
            </Button>
          )}
          {exchange && (
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
          {exchange && (
            <Button
              variant={pinned ? 'filled' : 'default'}
              size="compact-xs"
              aria-pressed={pinned}
              leftSection={<PinIcon />}
              onClick={() => void pin()}
            >
              {t('exchanges.pin')}
            </Button>
          )}
          <Button variant="default" size="compact-xs" onClick={onClose}>
            {t('exchanges.back')}
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
            <Text size="sm">{t('exchanges.gone')}</Text>
          ) : (
            <ErrorText error={answer.error} during="server" />
          )}
        </Message>
      )}
      {exchange && (
        <>
          <p className={classes.facts}>
            <Outcome
              exchange={{
                ...(exchange.response && { status: exchange.response.status }),
                ...(exchange.failure && { failure: exchange.failure.kind }),
              }}
            />
            <span>{words.wholeMoment(exchange.startedAt)}</span>
            {environment && (
              <span>
                <span className={appClasses.swatch} data-colour={environment.colour} aria-hidden />{' '}
                <bdi>{environmentName(environment, t)}</bdi>
              </span>
            )}
            {exchange.replayOf && (
              <span>{t('replay.of', { change: sayChange(exchange.replayOf.change, sessions, t) })}</span>
            )}
            {exchange.contractRun && <span>{t('exchanges.ofContractRun')}</span>}
          </p>
          {exchange.replayOf && !beside && (
            <Button
              className={classes.start}
              variant="default"
              size="compact-xs"
              onClick={() => exchange.replayOf && void compareWithOriginal(exchange, exchange.replayOf.id)}
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
          {exchange.failure && (
            <Message tone="error" announce="status">
              <ErrorText error={exchange.failure} during={duringOf(url)} />
            </Message>
          )}
          <Response
            exchange={exchange}
            words={words}
            {...(environment && { onPinPlace: () => onPinPlace(environment.id) })}
          />
          <Request exchange={exchange} words={words} />
          <Section title={t('exchanges.timing')}>
            <TimingBar
              phases={phasesOf(exchange.timings, exchange.failure !== undefined)}
              totalMs={exchange.timings.totalMs}
              words={words}
            />
          </Section>
          <Connection exchange={exchange} />
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
  exchange: RecordedExchange;
  words: ExchangeWords;
}

export function Request({ exchange, words }: PartProps) {
  const { t } = useTranslation();
  const { head, body } = exchange.request;
  return (
    <Section title={t('exchanges.request')}>
      {head.source === 'as-prepared' && (
        <Text size="xs" c="dimmed">
          {t('exchanges.asPrepared')}
        </Text>
      )}
      <div className={classes.wire}>
        <Redacted text={withPlainLines(head.text)} />
      </div>
      <Body label={t('exchanges.requestBody')} body={body} words={words} />
    </Section>
  );
}

export function Response({ exchange, words, onPinPlace }: PartProps & { onPinPlace?: () => void }) {
  const { t } = useTranslation();
  const { response, understood } = exchange;
  if (!response) return null;
  const { httpVersion, status, statusText, headers, body } = response;
  return (
    <Section title={t('exchanges.response')}>
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
          <Body label={t('exchanges.responseBody')} body={body} words={words} />
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

function Connection({ exchange }: { exchange: RecordedExchange }) {
  const { t, i18n } = useTranslation();
  const { remote, proxy, security, reusedConnection } = exchange;
  const certificate = security?.certificate;
  const date = new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long' });
  const period = certificate && date.formatRange(new Date(certificate.validFrom), new Date(certificate.validTo));
  const rows: [string, string | undefined][] = [
    [t('exchanges.remote'), remote],
    [t('exchanges.proxy'), proxy ?? t('exchanges.noProxy')],
    [t('exchanges.connectionUse'), t(reusedConnection ? 'exchanges.reused' : 'exchanges.new')],
    [t('exchanges.encryption'), security?.protocol ?? t('exchanges.plain')],
    [t('exchanges.trust'), security?.pinned ? t('exchanges.byCertificate') : undefined],
    [t('certificate.subject'), certificate?.subject],
    [t('certificate.issuer'), certificate?.issuer],
    [t('certificate.names'), certificate?.names.join(', ')],
    [t('certificate.valid'), period],
    [t('certificate.sha256'), certificate?.sha256],
  ];
  const known = rows.flatMap(([label, value]) => (value === undefined ? [] : [{ label, value: <bdi>{value}</bdi> }]));
  return (
    <Section title={t('exchanges.connection')}>
      <Fields fields={known} />
    </Section>
  );
}
