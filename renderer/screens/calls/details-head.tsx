import { Button, Group, Title } from '@mantine/core';
import type { Ref } from 'react';
import { useTranslation } from 'react-i18next';
import type { HeldSession } from '../../../preload/contract/models.ts';
import { Redacted } from '../../answers/redacted.tsx';
import { PinIcon } from '../../components/icons.tsx';
import classes from './calls.module.css';
import { CopyMenu } from './copy-menu.tsx';
import { ReplayMenu } from './replay-menu.tsx';
import type { ShownDetails } from './use-details.ts';

interface DetailsHeadProps {
  details: ShownDetails;
  id: string;
  pinned: boolean;
  sessions: readonly HeldSession[];
  headingRef: Ref<HTMLHeadingElement>;
  onClose: () => void;
}

/** Shows what was called, and what can be done with the call. */
export function DetailsHead({ details, id, pinned, sessions, headingRef, onClose }: DetailsHeadProps) {
  const { t } = useTranslation();
  const { answer, call, setSaid, pin, replay } = details;
  const isSending = replay.step.step === 'sending';
  return (
    <div className={classes.detailsHead}>
      <Title order={3} size="h6" id="call-heading" ref={headingRef} tabIndex={-1} className={classes.heading}>
        {call ? (
          <>
            {call.request.method} <Redacted text={call.request.url} />
          </>
        ) : (
          t(answer ? 'calls.goneTitle' : 'calls.loading')
        )}
      </Title>
      <Group gap="xs" wrap="nowrap">
        {isSending && (
          <Button variant="default" size="compact-xs" onClick={replay.cancel}>
            {t('replay.stop')}
          </Button>
        )}
        <Group gap="xs" wrap="nowrap" className={classes.forCall} data-known={call !== undefined}>
          <ReplayMenu
            id={id}
            sessions={sessions}
            sending={isSending}
            onChoose={replay.start}
            onFailed={(error) => setSaid({ error })}
          />
          <CopyMenu id={id} onCopied={(sentence) => setSaid({ sentence })} onFailed={(error) => setSaid({ error })} />
          <Button
            variant={pinned ? 'filled' : 'default'}
            size="compact-xs"
            aria-pressed={pinned}
            leftSection={<PinIcon />}
            onClick={() => void pin()}
          >
            {t('calls.pin')}
          </Button>
        </Group>
        <Button variant="default" size="compact-xs" onClick={onClose}>
          {t('calls.back')}
        </Button>
      </Group>
    </div>
  );
}
