import { Button, Text } from '@mantine/core';
import type { AppState } from '../../../preload/contract/models.ts';
import { type CallWords, duringOf } from '../../answers/say-call.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { Said } from '../../components/said.tsx';
import { go } from '../../place.ts';
import { useTexts } from '../../texts.tsx';
import { DetailsHead } from './details-head.tsx';
import classes from './details.module.css';
import { DetailsTabs } from './details-tabs.tsx';
import { ReplayQuestions } from './replay-dialogs.tsx';
import type { ShownCalls } from './use-calls.ts';
import { useDetails } from './use-details.ts';

interface DetailsProps {
  /** The call that is looked at, among the calls that are shown. */
  summary: NonNullable<ShownCalls['opened']>;
  calls: ShownCalls;
  state: AppState;
  words: CallWords;
  isDocked?: boolean;
}

/** Shows one call as it went over the wire. */
export function Details({ summary, calls, state, words, isDocked = false }: DetailsProps) {
  const { t } = useTexts();
  const { servers, sessions } = state;
  const { id, pinned } = summary;
  const { list, setOpened, headingRef, comparing, closeDetails, tab, setTab } = calls;
  const details = useDetails({
    id,
    pinned,
    comparing,
    onPinned: (changed) => {
      list.put(changed);
      setOpened(changed);
    },
  });
  const { answer, call, url, said, replay } = details;
  const isSending = replay.step.step === 'sending';

  const server = servers.find((each) => each.id === (call ?? summary).serverId);
  return (
    <article className={classes.details} aria-labelledby="call-heading">
      <div className={classes.scroll}>
        <DetailsHead
          details={details}
          summary={summary}
          server={server}
          sessions={sessions}
          words={words}
          comparing={comparing}
          isDocked={isDocked}
          headingRef={headingRef}
          onClose={closeDetails}
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
              <ErrorText error={call.failure} during={duringOf(url)} />
            </Message>
          </div>
        )}
        {call && (
          <DetailsTabs
            call={call}
            words={words}
            tab={tab}
            onTab={setTab}
            onChoosePlaces={server && (() => go({ room: 'servers', editing: server.id }))}
          />
        )}
      </div>
      <div className={classes.saidLine} data-busy={isSending}>
        <Said outcome={isSending ? { sentence: t('replay.sending') } : said} />
        {isSending && (
          <Button variant="default" size="compact-sm" onClick={replay.cancel}>
            {t('replay.stop')}
          </Button>
        )}
      </div>
      {call && <ReplayQuestions replay={replay} host={URL.canParse(url) ? new URL(url).host : ''} />}
    </article>
  );
}
