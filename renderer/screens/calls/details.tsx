import { Button, Text } from '@mantine/core';
import type { Server } from '../../../preload/contract/models.ts';
import { duringOf, urlText } from '../../answers/call-text.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { Said } from '../../components/said.tsx';
import { navigate } from '../../route.ts';
import { DetailsHead } from './details-head.tsx';
import classes from './details.module.css';
import { DetailsTabs } from './details-tabs.tsx';
import { EditRequest } from './edit-request.tsx';
import type { ShownCalls } from './use-calls.ts';
import { t } from '../../i18n.ts';
import { useApp, useServer } from '../../api.ts';

interface DetailsProps {
  /** The call that is looked at, among the calls that are shown. */
  opened: NonNullable<ShownCalls['opened']>;
  calls: ShownCalls;
  /** The dock has room for the replay alone. */
  isDocked?: boolean;
}

export function Details({ opened, calls, isDocked = false }: DetailsProps) {
  const state = useApp();
  const { summary, answer, said } = opened;
  const { replay } = calls;
  const isSending = replay.step.step === 'sending';
  const call = answer?.ok ? answer.value : undefined;
  const server = useServer((call ?? summary).serverId);
  const { settings } = state;
  const { editing } = opened;
  return (
    <article className={classes.details} aria-labelledby="call-heading">
      {call && editing ? (
        <EditRequest
          calls={calls}
          call={call}
          editable={editing}
          wrong={said && 'error' in said ? said.error : undefined}
          settings={settings}
        />
      ) : (
        <Shown opened={opened} calls={calls} isDocked={isDocked} server={server} />
      )}
      <div className={classes.saidLine} data-busy={isSending}>
        <Said outcome={isSending ? { sentence: () => t('replay.sending') } : said} />
        {isSending && (
          <Button variant="default" size="compact-sm" onClick={replay.cancel}>
            {t('replay.stop')}
          </Button>
        )}
      </div>
    </article>
  );
}

/** Shows the call with what can be done with it. */
function Shown({
  opened: { summary, answer },
  calls,
  isDocked,
  server,
}: Required<DetailsProps> & { server: Server | undefined }) {
  const state = useApp();
  const { tab, setTab } = calls;
  const call = answer?.ok ? answer.value : undefined;
  return (
    <div className={classes.scroll}>
      <DetailsHead
        calls={calls}
        summary={summary}
        call={call}
        isGone={answer !== undefined && !call}
        server={server}
        sessions={state.sessions}
        mayEdit={!state.settings.presenting}
        isDocked={isDocked}
      />
      {answer && !answer.ok && (
        <div className={classes.message}>
          <Message tone="info">
            {answer.error.kind === 'not-now' ? (
              <Text size="sm">{t('calls.gone')}</Text>
            ) : (
              <ErrorText error={answer.error} during="server" />
            )}
          </Message>
        </div>
      )}
      {call?.failure && (
        <div className={classes.message}>
          <Message tone="error" announce="status">
            <ErrorText error={call.failure} during={duringOf(urlText(call.request.url))} />
          </Message>
        </div>
      )}
      {call && (
        <DetailsTabs
          call={call}
          tab={tab}
          onTab={setTab}
          onChoosePlaces={server && (() => navigate({ room: 'servers', editing: server.id }))}
        />
      )}
    </div>
  );
}
