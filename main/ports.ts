import type { EventName, EventPayload } from '../preload/contract/contract.ts';
import type { Dialogs } from '../preload/contract/dialogs.ts';
import type { AppState } from '../preload/contract/models.ts';
import type { Language } from '../preload/contract/settings.ts';
import type { ConfigStore } from './account/config/config-store.ts';
import type { Pin } from './account/lock/pin.ts';
import type { Cipher } from './account/vault/cipher.ts';
import type { ResolveProxy } from './client/proxy-route.ts';
import type { SecretRegistry } from './client/secrets/secret-registry.ts';
import type { FileNotices } from './files/file-notices.ts';
import type { Log } from './files/log.ts';
import type { Clipboard } from './files/secret-clipboard.ts';
import type { StartedService } from './tools/local-servers/local-server.ts';
import type { NotificationKind } from './window/notifications.ts';
import type { UpdateSource } from './window/updates/updates.ts';

/** Everything that is Electron's, and the files as they were opened. Tests put their own in its place. */
export type Ports = {
  about: Pick<AppState, 'version' | 'electron'>;
  config: ConfigStore;
  pin: Pin;
  notices: FileNotices;
  /** The language of the command line, else that of the system. */
  systemLanguage: Language;
  demoEmail: string;
  /** Does nothing if the window is closed. */
  notify: <N extends EventName>(name: N, payload: EventPayload<N>) => void;
  now?: (() => Date) | undefined;
  /** The user-data folder. */
  folder: string;
  /** The references that stand for secrets in everything that is recorded. */
  secretRegistry: SecretRegistry;
  log: Log;
  cipher: Cipher & { close: () => void; forget: () => Promise<void> };
  resolveProxy: ResolveProxy;
  dialogs: Dialogs;
  clipboard: Clipboard;
  startBuiltIn: () => Promise<StartedService>;
  /** Applies changed settings to what does not follow the state. */
  onSettings: () => void;
  /** The lists of packages and their licences, which the build writes. */
  licenceFiles: readonly string[];
  /** None is shown while the window has the focus. */
  notifications: { isFocused: () => boolean; show: (what: NotificationKind) => unknown };
  updates: UpdateSource;
  /** Shows the window above the others, with the question that belongs to it. */
  bringToFront: () => void;
  /** Ends the process at once: nothing is written. */
  exit: (code: number) => void;
};

/** Those that the first state needs. The rest is made once the window has painted it. */
export type InitialPorts = Pick<
  Ports,
  'about' | 'config' | 'notices' | 'systemLanguage' | 'demoEmail' | 'notify' | 'now'
> & { pin: Pick<Pin, 'isSet' | 'triesLeft'> };
