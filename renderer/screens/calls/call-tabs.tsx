import { Button, Tabs, Text } from '@mantine/core';
import { useState } from 'react';
import type { RecordedCall } from '../../../preload/contract/calls.ts';
import answerClasses from '../../answers/answers.module.css';
import { MessageBody } from '../../answers/body.tsx';
import { Found, PointedAnswer, Verdict } from '../../answers/found-places.tsx';
import { Redacted } from '../../answers/redacted.tsx';
import { RequestHead, ResponseHead, Section } from '../../answers/request-response.tsx';
import { api, useServer } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import linkClasses from '../../components/link-button.module.css';
import tabClasses from '../../components/tabs.module.css';
import { t } from '../../i18n.ts';
import { navigate } from '../../route.ts';
import { useAction } from '../../use-action.ts';
import { openTab, tabs, useCalls } from './calls-store.ts';
import classes from './details.module.css';
import { Timing } from './timing.tsx';

/** The tabs of a call: summary, response, request, timing and connection. */
export function CallTabs({ call }: { call: RecordedCall }) {
  const tab = useCalls((state) => state.tab);
  const first = call.understood ? 'understood' : call.response ? 'response' : 'request';
  return (
    <Tabs
      value={tab ?? first}
      onChange={(value) => {
        const chosen = tabs.find((each) => each === value);
        if (chosen) openTab(chosen);
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
        <UnderstoodPanel call={call} />
      </Tabs.Panel>
      <Tabs.Panel value="response">
        <ResponsePanel call={call} />
      </Tabs.Panel>
      <Tabs.Panel value="request">
        <RequestPanel call={call} />
      </Tabs.Panel>
      <Tabs.Panel value="timing">
        <Timing call={call} />
      </Tabs.Panel>
    </Tabs>
  );
}

function UnderstoodPanel({ call }: { call: RecordedCall }) {
  const { understood, response, serverId } = call;
  const server = useServer(serverId);
  if (!understood || !response) return <Nothing text={t('calls.notUnderstood')} />;
  const { found } = understood;
  return (
    <>
      <Verdict answer={understood} />
      {found.length > 0 ? <Found found={found} /> : <Nothing text={t('understood.nothing')} />}
      <section className="column slim gap8" aria-label={t('understood.where')}>
        <div className={answerClasses.partHead}>
          <h3 className={answerClasses.title}>{t('understood.where')}</h3>
          {server && (
            <button
              type="button"
              className={linkClasses.link}
              data-size="small"
              onClick={() => navigate({ page: 'servers', editing: server.id })}
            >
              {t('understood.pin')}
            </button>
          )}
        </div>
        <PointedAnswer response={response} found={found} />
      </section>
    </>
  );
}

function ResponsePanel({ call }: { call: RecordedCall }) {
  const { response } = call;
  if (!response) return <Nothing text={t('replay.noAnswer')} />;
  return (
    <>
      <Section title={t('calls.headers')} level={3}>
        <ResponseHead response={response} />
      </Section>
      <Section title={t('calls.body')} level={3}>
        <MessageBody label={t('calls.responseBody')} body={response.body} />
        {response.body.form === 'text' && response.body.isInMemory && <StoreText key={call.id} id={call.id} />}
      </Section>
    </>
  );
}

/** Stores a body that is in memory only, and would be lost on quit. */
function StoreText({ id }: { id: string }) {
  const [isStored, setStored] = useState(false);
  const { run, pending, failure } = useAction();
  if (isStored) return null;
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        w="fit-content"
        title={t('calls.keepTextHelp')}
        aria-busy={pending}
        onClick={() =>
          void run(
            () => api.calls.saveText({ id }),
            () => {
              setStored(true);
              return () => t('calls.textKept');
            },
          )
        }
      >
        {t('calls.keepText')}
      </Button>
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </>
  );
}

function RequestPanel({ call }: { call: RecordedCall }) {
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
        <MessageBody label={t('calls.requestBody')} body={call.request.body} />
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
