import { Button, Menu } from '@mantine/core';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { CommandForm, EditedRequest, RecordedCall } from '../../../preload/contract/calls.ts';
import { Alert } from '../../components/alert.tsx';
import { ErrorMessage } from '../../components/error-message.tsx';
import { CopyIcon, ReplayIcon } from '../../components/icons.tsx';
import { t } from '../../i18n.ts';
import { cancelReplay, copyCall, isSending, startReplay, useCalls } from './calls-store.ts';
import classes from './details.module.css';

/** Focused when the call is opened by a key, and when a view inside of it is left. */
export function CallHeading({ className, children }: { className: string | undefined; children: ReactNode }) {
  const ref = useRef<HTMLHeadingElement>(null);
  const headingFocus = useCalls((state) => state.headingFocus);
  useEffect(() => {
    if (headingFocus > 0) ref.current?.focus();
  }, [headingFocus]);
  return (
    <h2 id="call-heading" ref={ref} tabIndex={-1} data-home className={className}>
      {children}
    </h2>
  );
}

/** The error of the last action on the call, or on its comparison. */
export function ActionFailure() {
  const failure = useCalls((state) => state.failure);
  if (!failure) return null;
  return (
    <div className={classes.message}>
      {failure === 'original-gone' ? (
        <Alert tone="info" title={t('replay.originalGone')} />
      ) : (
        <ErrorMessage error={failure} during="server" />
      )}
    </div>
  );
}

export function SendAgain({ call }: { call: RecordedCall | undefined }) {
  const sending = useCalls(isSending);
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<ReplayIcon />}
        aria-busy={sending}
        aria-disabled={sending}
        onClick={() => call && startReplay(call)}
      >
        {t(sending ? 'replay.sending' : 'replay.again')}
      </Button>
      <CancelReplay />
    </>
  );
}

export function CancelReplay() {
  if (!useCalls(isSending)) return null;
  return (
    <Button variant="default" size="compact-sm" onClick={cancelReplay}>
      {t('replay.stop')}
    </Button>
  );
}

const forms = ['curl-bash', 'curl-powershell', 'fetch'] as const satisfies readonly CommandForm[];

interface CopyMenuProps {
  id: string;
  /** Returns the edited request, to be copied instead. */
  request?: () => EditedRequest;
}

/** Copies the request as a command. Secrets are variables or, after a second step, included. */
export function CopyMenu({ id, request }: CopyMenuProps) {
  const [withSecrets, setWithSecrets] = useState(false);
  return (
    // Two steps, so that the menu fits the height of the window.
    <Menu position="bottom-end" width={300} onOpen={() => setWithSecrets(false)}>
      <Menu.Target>
        <Button variant="subtle" color="gray" size="compact-sm" leftSection={<CopyIcon />}>
          {t('calls.copy')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={t('calls.copy')}>
        <Menu.Label>{t(withSecrets ? 'calls.copyFull' : 'calls.copyVariables')}</Menu.Label>
        {forms.map((form) => {
          const name = t(`calls.commands.${form}`);
          return (
            <Menu.Item
              key={form}
              aria-label={withSecrets ? t('calls.commandFull', { form: name }) : undefined}
              onClick={() => void copyCall(id, form, withSecrets ? 'full' : 'variables', request?.())}
            >
              {name}
            </Menu.Item>
          );
        })}
        {!withSecrets && (
          <>
            <Menu.Divider />
            <Menu.Item closeMenuOnClick={false} onClick={() => setWithSecrets(true)}>
              {t('calls.copyFull')}
            </Menu.Item>
          </>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}
