import { ActionIcon, Button, Menu } from '@mantine/core';
import type { RecordedCall, RedactedText } from '../../../preload/contract/calls.ts';
import { CallFailure } from '../../answers/call-failure.tsx';
import { OutcomeChip } from '../../answers/outcome.tsx';
import { Redacted } from '../../answers/redacted.tsx';
import { useApp, useServer } from '../../api.ts';
import { Alert } from '../../components/alert.tsx';
import { Chip } from '../../components/chip.tsx';
import { CloseButton } from '../../components/close-button.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { BackIcon, ChecklistIcon, ChevronIcon, CompareIcon, PinIcon, ReplayIcon } from '../../components/icons.tsx';
import { ServerDot } from '../../components/server-dot.tsx';
import { UntrustedText } from '../../components/untrusted-text.tsx';
import { callFormatters } from '../../format.ts';
import { t } from '../../i18n.ts';
import { serverName } from '../../server-name.ts';
import { ActionFailure, CallHeading, CopyMenu, SendAgain } from './call-actions.tsx';
import { CallTabs } from './call-tabs.tsx';
import {
  closeCall,
  compareWithOriginal,
  editCall,
  type OpenedCall,
  pinCall,
  startPicking,
  useCalls,
} from './calls-store.ts';
import classes from './details.module.css';
import { EditRequest } from './edit-request.tsx';
import { replayText } from './row.tsx';

/** The opened call, or the form to edit its request. */
export function Details({ opened: { summary, details, editable } }: { opened: OpenedCall }) {
  const call = details?.ok ? details.value : undefined;
  const isCompared = useCalls(({ comparison }) => comparison !== undefined);
  return (
    <article className={classes.details} aria-labelledby="call-heading">
      {call && editable ? (
        <EditRequest call={call} editable={editable} />
      ) : (
        <div className={classes.scroll}>
          <Head summary={summary} call={call} isGone={details?.ok === false} />
          {!isCompared && <ActionFailure />}
          {details?.ok === false && (
            <div className={classes.message}>
              {details.error.kind === 'not-now' ? (
                <Alert tone="info" title={t('calls.gone')} />
              ) : (
                <ErrorMessage error={details.error} during="server" takesFocus={false} />
              )}
            </div>
          )}
          {call?.failure && (
            <div className={classes.message}>
              <CallFailure call={call} />
            </div>
          )}
          {call && <CallTabs call={call} />}
        </div>
      )}
    </article>
  );
}

interface HeadProps {
  /** The summary in the list, which is available before the details. */
  summary: OpenedCall['summary'];
  call: RecordedCall | undefined;
  isGone: boolean;
}

/** Request line, outcome and actions of a call. */
function Head({ summary, call, isGone }: HeadProps) {
  const isDocked = useCalls((state) => state.isDocked);
  const isKnown = call !== undefined;
  return (
    <header className={classes.head}>
      <div className={classes.what}>
        {!isDocked && (
          <ActionIcon
            className={classes.back}
            variant="subtle"
            color="gray"
            size={28}
            aria-label={t('calls.toList')}
            onClick={closeCall}
          >
            <BackIcon />
          </ActionIcon>
        )}
        <CallHeading className={classes.heading}>
          {isGone ? (
            t('calls.goneTitle')
          ) : (
            <>
              <span className={classes.method}>{summary.method}</span>{' '}
              <span className="mono">{call ? <Redacted text={pathOf(call.request.url)} /> : summary.path}</span>
            </>
          )}
        </CallHeading>
        {!isGone && <Actions id={summary.id} call={call} />}
        {!isGone && !isDocked && (
          <ActionIcon
            className={classes.pin}
            data-known={isKnown}
            variant={summary.pinned ? 'light' : 'subtle'}
            color={summary.pinned ? 'ink' : 'gray'}
            size={28}
            aria-pressed={summary.pinned}
            aria-label={t('calls.pin')}
            title={t('calls.pin')}
            onClick={() => void pinCall(summary)}
          >
            <PinIcon />
          </ActionIcon>
        )}
        <CloseButton className={classes.close} name={t('calls.closeCall')} onClick={closeCall} />
      </div>
      {call && <Facts call={call} isDocked={isDocked} />}
    </header>
  );
}

/** The URL without its origin, since the server's name is shown. */
function pathOf([first = '', ...others]: RedactedText): RedactedText {
  if (typeof first !== 'string') return [first, ...others];
  return [first.replace(/^[a-z]+:\/\/[^/?#]*/i, ''), ...others];
}

/** The dock has space for sending again only. */
function Actions({ id, call }: { id: string; call: RecordedCall | undefined }) {
  const { settings } = useApp();
  const isDocked = useCalls((state) => state.isDocked);
  return (
    // Rendered before the call is loaded, so that the layout does not shift.
    <div className={classes.actions} data-known={call !== undefined}>
      <SendAgain call={call} />
      {/* Presenting masks the emails of the request, so it cannot be edited. */}
      {!settings.presenting && (
        <Button variant="default" size="compact-sm" onClick={() => void editCall(id)}>
          {t('edit.open')}
        </Button>
      )}
      {!isDocked && (
        <>
          <CompareButton call={call} />
          <CopyMenu id={id} />
        </>
      )}
    </div>
  );
}

/** A replay can also be compared with its original. */
function CompareButton({ call }: { call: RecordedCall | undefined }) {
  const look = { variant: 'default', size: 'compact-sm', leftSection: <CompareIcon /> } as const;
  if (!call?.replayOf) {
    return (
      <Button {...look} onClick={() => call && startPicking(call)}>
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
        <Menu.Item onClick={() => void compareWithOriginal(call)}>{t('compare.withOriginal')}</Menu.Item>
        <Menu.Item onClick={() => startPicking(call)}>{t('compare.withAnother')}</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function Facts({ call, isDocked }: { call: RecordedCall; isDocked: boolean }) {
  const { duration, size, wholeMoment } = callFormatters();
  const { serverId, response, failure, startedAt, timings, replayOf, contractRun } = call;
  const server = useServer(serverId);
  return (
    <p className={classes.facts}>
      <OutcomeChip call={{ status: response?.status, failure: failure?.kind }} />
      {server && (
        <span className="row slim gap8 soft">
          <ServerDot colour={server.colour} />
          <UntrustedText text={serverName(server)} />
        </span>
      )}
      <span>{wholeMoment(startedAt)}</span>
      {!isDocked && (
        <>
          <span>{duration(timings.totalMs)}</span>
          {response && <span>{size(response.body.bytes)}</span>}
        </>
      )}
      {replayOf && <Chip icon={<ReplayIcon />}>{replayText(replayOf)}</Chip>}
      {contractRun && <Chip icon={<ChecklistIcon />}>{t('calls.ofCheck')}</Chip>}
    </p>
  );
}
