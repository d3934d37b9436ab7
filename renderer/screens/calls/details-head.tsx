import { ActionIcon, Button, Menu } from '@mantine/core';
import type { Ref } from 'react';
import type { CallSummary, RecordedCall, RedactedText } from '../../../preload/contract/calls.ts';
import type { HeldSession, Server } from '../../../preload/contract/models.ts';
import { OutcomeChip } from '../../answers/outcome.tsx';
import { Redacted } from '../../answers/redacted.tsx';
import type { CallWords } from '../../answers/say-call.ts';
import { Chip } from '../../components/chip.tsx';
import {
  BackIcon,
  ChecklistIcon,
  ChevronIcon,
  CloseIcon,
  CompareIcon,
  PinIcon,
  ReplayIcon,
} from '../../components/icons.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { OutsideText } from '../../components/outside-text.tsx';
import { serverName } from '../../server-name.ts';
import { useTexts } from '../../texts.tsx';
import { CopyMenu } from './copy-menu.tsx';
import classes from './details.module.css';
import { ReplayMenu } from './replay-menu.tsx';
import { sayChange } from './say-change.ts';
import type { Comparing } from './use-comparison.ts';
import type { ShownDetails } from './use-details.ts';

interface DetailsHeadProps {
  details: ShownDetails;
  /** What the list knows of the call, which is there before the rest. */
  summary: CallSummary;
  server: Server | undefined;
  sessions: readonly HeldSession[];
  words: CallWords;
  comparing: Comparing;
  /** The dock has room for the replay alone. */
  isDocked: boolean;
  headingRef: Ref<HTMLHeadingElement>;
  onClose: () => void;
}

/** Shows what was called, how it ended, and what can be done with the call. */
export function DetailsHead(props: DetailsHeadProps) {
  const { details, summary, isDocked, headingRef, onClose } = props;
  const { t } = useTexts();
  const { answer, call } = details;
  return (
    <header className={classes.head}>
      <div className={classes.what} data-docked={isDocked}>
        {!isDocked && (
          <ActionIcon
            className={classes.back}
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t('calls.toList')}
            onClick={onClose}
          >
            <BackIcon />
          </ActionIcon>
        )}
        <h2 id="call-heading" ref={headingRef} tabIndex={-1} className={classes.heading}>
          {answer && !call ? (
            t('calls.goneTitle')
          ) : (
            <>
              <span className={classes.method}>{summary.method}</span>{' '}
              <span className={classes.path}>{call ? <Redacted text={pathOf(call.request.url)} /> : summary.path}</span>
            </>
          )}
        </h2>
        {(call || !answer) && <Actions {...props} />}
        <ActionIcon
          className={classes.close}
          variant="subtle"
          color="gray"
          size={28}
          aria-label={t('calls.closeCall')}
          title={t('calls.closeCall')}
          onClick={onClose}
        >
          <CloseIcon />
        </ActionIcon>
      </div>
      {call && <Facts {...props} call={call} />}
    </header>
  );
}

/** Returns an address without its beginning, which the server's name stands for. */
function pathOf([first = '', ...others]: RedactedText): RedactedText {
  if (typeof first !== 'string') return [first, ...others];
  return [first.replace(/^[a-z]+:\/\/[^/?#]*/i, ''), ...others];
}

function Actions({ details, summary, sessions, comparing, isDocked }: DetailsHeadProps) {
  const { t } = useTexts();
  const { call, setSaid, pin, replay } = details;
  const { id, pinned } = summary;
  return (
    // They hold their place until there is a call that they can do something with.
    <div className={classes.actions} data-known={call !== undefined}>
      <ReplayMenu
        id={id}
        sessions={sessions}
        sending={replay.step.step === 'sending'}
        onChoose={replay.start}
        onFailed={(error) => setSaid({ error })}
      />
      {!isDocked && (
        <>
          <CompareButton call={call} details={details} comparing={comparing} />
          <CopyMenu id={id} onCopied={(sentence) => setSaid({ sentence })} onFailed={(error) => setSaid({ error })} />
          <ActionIcon
            className={classes.pin}
            variant={pinned ? 'light' : 'subtle'}
            color={pinned ? 'ink' : 'gray'}
            size={28}
            aria-pressed={pinned}
            aria-label={t('calls.pin')}
            title={t('calls.pin')}
            onClick={() => void pin()}
          >
            <PinIcon />
          </ActionIcon>
        </>
      )}
    </div>
  );
}

interface CompareButtonProps {
  call: RecordedCall | undefined;
  details: ShownDetails;
  comparing: Comparing;
}

/** Compares the call with another one. A replay can be compared with its original too. */
function CompareButton({ call, details, comparing }: CompareButtonProps) {
  const { t } = useTexts();
  const look = { variant: 'default', size: 'compact-sm', leftSection: <CompareIcon /> } as const;
  if (!call?.replayOf) {
    return (
      <Button {...look} onClick={() => call && comparing.startPicking(call)}>
        {t('compare.with')}
      </Button>
    );
  }
  return (
    <Menu position="bottom-end" width={260}>
      <Menu.Target>
        <Button {...look} rightSection={<ChevronIcon size={14} />}>
          {t('compare.open')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('compare.open')}>
        <Menu.Item onClick={() => void details.compareWithOriginal()}>{t('compare.withOriginal')}</Menu.Item>
        <Menu.Item onClick={() => comparing.startPicking(call)}>{t('compare.withAnother')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** Shows how the call ended, when, where, and where it came from. */
function Facts({ call, server, sessions, words, isDocked }: DetailsHeadProps & { call: RecordedCall }) {
  const { t } = useTexts();
  const { response, failure, startedAt, timings, replayOf, contractRun } = call;
  return (
    <p className={classes.facts}>
      <OutcomeChip call={{ status: response?.status, failure: failure?.kind }} />
      {server && (
        <span className={classes.server}>
          <ServerDot colour={server.colour} />
          <OutsideText text={serverName(server, t)} />
        </span>
      )}
      <span>{words.wholeMoment(startedAt)}</span>
      {!isDocked && (
        <>
          <span>{words.duration(timings.totalMs)}</span>
          {response && <span>{words.size(response.body.bytes)}</span>}
        </>
      )}
      {replayOf && (
        <Chip tone="outlined" icon={<ReplayIcon />}>
          {t('replay.of', { change: sayChange(replayOf.change, sessions, t) })}
        </Chip>
      )}
      {contractRun && (
        <Chip tone="outlined" icon={<ChecklistIcon />}>
          {t('calls.ofContractRun')}
        </Chip>
      )}
    </p>
  );
}
