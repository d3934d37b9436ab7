import { ActionIcon, Button, Menu } from '@mantine/core';
import type { CallSummary, RecordedCall, RedactedText } from '../../../preload/contract/calls.ts';
import type { HeldSession, Server } from '../../../preload/contract/models.ts';
import { OutcomeChip } from '../../answers/outcome.tsx';
import { Redacted } from '../../answers/redacted.tsx';
import { Chip } from '../../components/chip.tsx';
import { CloseButton } from '../../components/close-button.tsx';
import { BackIcon, ChecklistIcon, ChevronIcon, CompareIcon, PinIcon, ReplayIcon } from '../../components/icons.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { serverName } from '../../server-name.ts';
import { CopyMenu } from './copy-menu.tsx';
import classes from './details.module.css';
import { ReplayMenu } from './replay-menu.tsx';
import { sayReplay } from './say-change.ts';
import type { ShownCalls } from './use-calls.ts';
import { t } from '../../i18n.ts';
import { callFormatters } from '../../format.ts';

interface DetailsHeadProps {
  calls: ShownCalls;
  /** What the list knows of the call, which is there before the rest. */
  summary: CallSummary;
  call: RecordedCall | undefined;
  /** Whether main answered that the call is not kept any more. */
  isGone: boolean;
  server: Server | undefined;
  sessions: readonly HeldSession[];
  isDocked: boolean;
  /** Whether the request may be edited: while the person presents, its emails are masked. */
  mayEdit: boolean;
}

/** Shows what was called, how it ended, and what can be done with the call. */
export function DetailsHead(props: DetailsHeadProps) {
  const { calls, summary, call, isGone, isDocked } = props;
  const { headingRef, closeDetails } = calls;
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
            onClick={closeDetails}
          >
            <BackIcon />
          </ActionIcon>
        )}
        <h2 id="call-heading" ref={headingRef} tabIndex={-1} className={classes.heading}>
          {isGone ? (
            t('calls.goneTitle')
          ) : (
            <>
              <span className={classes.method}>{summary.method}</span>{' '}
              <span className="mono">{call ? <Redacted text={pathOf(call.request.url)} /> : summary.path}</span>
            </>
          )}
        </h2>
        {!isGone && <Actions {...props} />}
        {!isGone && !isDocked && <Pin {...props} />}
        <CloseButton className={classes.close} name={t('calls.closeCall')} onClick={closeDetails} />
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

function Actions({ calls, summary, call, sessions, isDocked, mayEdit }: DetailsHeadProps) {
  const { say, replay } = calls;
  const { id } = summary;
  return (
    // They hold their place until there is a call that they can do something with.
    <div className={classes.actions} data-known={call !== undefined}>
      <ReplayMenu
        id={id}
        sessions={sessions}
        sending={replay.step.step === 'sending'}
        onChoose={(change) => call && replay.start(call, change)}
        onEdit={mayEdit ? calls.edit : undefined}
        onFailed={(error) => say({ error })}
      />
      {!isDocked && (
        <>
          <CompareButton calls={calls} call={call} />
          <CopyMenu id={id} onCopied={(sentence) => say({ sentence })} onFailed={(error) => say({ error })} />
        </>
      )}
    </div>
  );
}

function Pin({ calls: { pin }, summary: { pinned }, call }: DetailsHeadProps) {
  return (
    <ActionIcon
      className={classes.pin}
      data-known={call !== undefined}
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
  );
}

/** Compares the call with another one. A replay can be compared with its original too. */
function CompareButton({ calls, call }: Pick<DetailsHeadProps, 'calls' | 'call'>) {
  const look = { variant: 'default', size: 'compact-sm', leftSection: <CompareIcon /> } as const;
  if (!call?.replayOf) {
    return (
      <Button {...look} onClick={() => call && calls.startPicking(call)}>
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
        <Menu.Item onClick={() => void calls.compareWithOriginal(call)}>{t('compare.withOriginal')}</Menu.Item>
        <Menu.Item onClick={() => calls.startPicking(call)}>{t('compare.withAnother')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Facts({ call, server, sessions, isDocked }: DetailsHeadProps & { call: RecordedCall }) {
  const words = callFormatters();
  const { response, failure, startedAt, timings, replayOf, contractRun } = call;
  return (
    <p className={classes.facts}>
      <OutcomeChip call={{ status: response?.status, failure: failure?.kind }} />
      {server && (
        <span className="row slim gap8 soft">
          <ServerDot colour={server.colour} />
          <UntrustedText text={serverName(server)} />
        </span>
      )}
      <span>{words.wholeMoment(startedAt)}</span>
      {!isDocked && (
        <>
          <span>{words.duration(timings.totalMs)}</span>
          {response && <span>{words.size(response.body.bytes)}</span>}
        </>
      )}
      {replayOf && <Chip icon={<ReplayIcon />}>{sayReplay(replayOf.change, sessions)}</Chip>}
      {contractRun && <Chip icon={<ChecklistIcon />}>{t('calls.ofContractRun')}</Chip>}
    </p>
  );
}
