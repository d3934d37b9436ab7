import { Button, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import type { RecordedCall } from '../../../preload/contract/calls.ts';
import type { Result } from '../../../preload/contract/result.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import linkClasses from '../../components/link-button.module.css';
import tabClasses from '../../components/tabs.module.css';
import answerClasses from '../../answers/answers.module.css';
import { Body } from '../../answers/body.tsx';
import { Found, PointedAnswer, Verdict } from '../../answers/found-places.tsx';
import { Redacted } from '../../answers/redacted.tsx';
import { RequestHead, ResponseHead, Section } from '../../answers/request-response.tsx';
import { phasesOf } from '../../answers/call-text.ts';
import { Connection } from './connection.tsx';
import classes from './details.module.css';
import { TimingBar } from './timing-bar.tsx';
import { type Tab, tabs } from './use-calls.ts';
import { t } from '../../i18n.ts';

interface DetailsTabsProps {
  call: RecordedCall;
  /** The tab that the person chose last; undefined until then. */
  tab: Tab | undefined;
  onTab: (tab: Tab) => void;
  /** Leads to where the places of a server are chosen. */
  onChoosePlaces: (() => void) | undefined;
}

/** Shows the call itself: what the application understood, answer, request, times and connection. */
export function DetailsTabs({ call, tab, onTab, onChoosePlaces }: DetailsTabsProps) {
  const first = call.understood ? 'understood' : call.response ? 'response' : 'request';
  return (
    <Tabs
      value={tab ?? first}
      onChange={(value) => {
        const chosen = tabs.find((each) => each === value);
        if (chosen) onTab(chosen);
      }}
      keepMounted={false}
      classNames={{ list: classes.tabList, tab: tabClasses.tab, panel: classes.panel }}
    >
      <Tabs.List>
        {tabs.map((each) => (
          <Tabs.Tab key={each} value={each}>
            {t(`calls.tab.${each}`)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value="understood">
        <UnderstoodPanel call={call} onChoosePlaces={onChoosePlaces} />
      </Tabs.Panel>
      <Tabs.Panel value="response">
        <ResponsePanel call={call} />
      </Tabs.Panel>
      <Tabs.Panel value="request">
        <RequestPanel call={call} />
      </Tabs.Panel>
      <Tabs.Panel value="timing">
        <Section title={t('calls.phases')} level={3}>
          <TimingBar phases={phasesOf(call.timings, call.failure !== undefined)} totalMs={call.timings.totalMs} />
        </Section>
        <Connection call={call} />
      </Tabs.Panel>
    </Tabs>
  );
}

function UnderstoodPanel({ call, onChoosePlaces }: Pick<DetailsTabsProps, 'call' | 'onChoosePlaces'>) {
  const { understood, response } = call;
  if (!understood || !response) return <Nothing text={t('calls.notUnderstood')} />;
  const { found } = understood;
  return (
    <>
      <Verdict answer={understood} />
      {found.length > 0 ? <Found found={found} /> : <Nothing text={t('understood.nothing')} />}
      <section className="column slim gap8" aria-label={t('understood.where')}>
        <div className={answerClasses.partHead}>
          <h3 className={answerClasses.title}>{t('understood.where')}</h3>
          {onChoosePlaces && (
            <button type="button" className={linkClasses.link} data-size="small" onClick={onChoosePlaces}>
              {t('understood.pin')}
            </button>
          )}
        </div>
        <PointedAnswer response={response} found={found} />
      </section>
    </>
  );
}

function ResponsePanel({ call }: Pick<DetailsTabsProps, 'call'>) {
  const { response } = call;
  if (!response) return <Nothing text={t('replay.noAnswer')} />;
  return (
    <>
      <Section title={t('calls.headers')} level={3}>
        <ResponseHead response={response} />
      </Section>
      <Section title={t('calls.body')} level={3}>
        <Body label={t('calls.responseBody')} body={response.body} />
        {response.body.form === 'text' && response.body.isInMemory && <KeepText key={call.id} id={call.id} />}
      </Section>
    </>
  );
}

/** Keeps a text that would go with the run, once the person asks for it. */
function KeepText({ id }: { id: string }) {
  const [result, setResult] = useState<Result<null>>();
  if (result?.ok === false) return <ErrorMessage error={result.error} during="server" />;
  return (
    <>
      <output>{result && <Nothing text={t('calls.textKept')} />}</output>
      {!result && (
        <Button
          variant="default"
          size="compact-sm"
          w="fit-content"
          title={t('calls.keepTextHelp')}
          onClick={() => void api.calls.keepText({ id }).then(setResult)}
        >
          {t('calls.keepText')}
        </Button>
      )}
    </>
  );
}

function RequestPanel({ call }: Pick<DetailsTabsProps, 'call'>) {
  return (
    <>
      <Section title={t('calls.address')} level={3}>
        <div className={answerClasses.wire}>
          <Redacted text={call.request.url} />
        </div>
      </Section>
      <Section title={t('calls.headers')} level={3}>
        <RequestHead call={call} />
      </Section>
      <Section title={t('calls.body')} level={3}>
        <Body label={t('calls.requestBody')} body={call.request.body} />
      </Section>
    </>
  );
}

function Nothing({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}
