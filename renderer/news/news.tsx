import type { AppState } from '../../preload/contract/models.ts';
import classes from '../app.module.css';
import { TrustedCertificateBanner } from './trusted-certificate.tsx';
import { ErrorText } from '../components/error-message.tsx';
import { FileNotices } from './file-notices.tsx';
import { MisbehavesMark } from '../screens/built-in-server/misbehaves-mark.tsx';
import { Message } from '../components/message.tsx';
import { NewsItem } from './news-item.tsx';
import { UnencryptedBanner } from './unencrypted-banner.tsx';
import { VaultNews } from './vault-news.tsx';

interface NewsProps {
  state: AppState;
  onOpenBuiltInServer: () => void;
}

/**
 * Shows all that a person should know beside the screen. It grows upwards from the bottom of the window, so what may
 * come late stands first and moves nothing that was there before.
 */
export function News({ state, onOpenBuiltInServer }: NewsProps) {
  const active = state.servers.find(({ id }) => id === state.activeServerId);
  return (
    <div className={classes.news}>
      {state.builtIn.state === 'failed' && (
        <NewsItem>
          <Message tone="error">
            <ErrorText error={{ kind: 'built-in-stopped', message: state.builtIn.message }} during="server" />
          </Message>
        </NewsItem>
      )}
      <VaultNews vault={state.vault} />
      {active && <UnencryptedBanner baseUrl={active.baseUrl} />}
      {active && <TrustedCertificateBanner server={active} />}
      <MisbehavesMark state={state} onOpen={onOpenBuiltInServer} />
      <FileNotices notices={state.files} />
    </div>
  );
}
