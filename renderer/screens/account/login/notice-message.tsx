import { Text } from '@mantine/core';
import type { Ref } from 'react';
import type { Notice } from '../../../../preload/contract/models.ts';
import { useAppState } from '../../../api.ts';
import { type During, shorten } from '../../../say-error.ts';
import { ErrorText } from '../../../components/error-message.tsx';
import { Message } from '../../../components/message.tsx';
import { plainAddress } from '../../../plain-address.ts';
import { VaultRetry } from '../../../components/vault-text.tsx';
import { useTexts } from '../../../texts.tsx';

/** What was being done when the error inside a notice came. */
const during = {
  'logged-out-here-only': 'logout',
  'logged-out-no-way-to-tell': 'logout',
  'not-logged-in': 'login',
  'registered-not-logged-in': 'login',
} as const satisfies Partial<Record<Notice['kind'], During>>;

/** Says how the last session ended. */
export function NoticeMessage({ notice, ref }: { notice: Notice; ref: Ref<HTMLDivElement> | undefined }) {
  const { t } = useTexts();
  const isSimple = useAppState()?.settings.workbench === false;
  return (
    <Message
      tone={notice.kind === 'logged-out' || notice.kind === 'confirm-first' ? 'info' : 'warning'}
      ref={ref}
      aside={notice.kind === 'vault-locked' && <VaultRetry vault={{ state: 'locked' }} />}
    >
      <Text size="sm" fw={600}>
        {notice.kind === 'other-address'
          ? t('notice.other-address', {
              baseUrl: plainAddress(notice.baseUrl, isSimple),
            })
          : t(`notice.${notice.kind}`)}
      </Text>
      {notice.kind === 'confirm-first' && (
        <Text size="sm">
          <bdi>{t('error.serverSays', { text: shorten(notice.says) })}</bdi>
        </Text>
      )}
      {'error' in notice && <ErrorText error={notice.error} during={during[notice.kind]} />}
    </Message>
  );
}
