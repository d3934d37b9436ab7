import type { ReactNode, RefObject } from 'react';
import type { CallSummary } from '../preload/contract/calls.ts';
import type { AppState } from '../preload/contract/models.ts';
import { useFocusReturn } from './components/use-focus-return.ts';
import { whenOpened } from './components/when-opened.tsx';
import { SecurityDialog } from './screens/security/security-dialog.tsx';
import { ServersDialog } from './screens/servers/servers-dialog.tsx';
import { SessionsDialog } from './screens/sessions/sessions-dialog.tsx';

/** The dialog over the screens. `editing` is the server that it opens with. */
export type OpenDialog =
  | { kind: 'servers'; editing?: string | undefined }
  | { kind: 'sessions' }
  | { kind: 'security' }
  | { kind: 'builtInServer' }
  | { kind: 'contract-run' }
  | { kind: 'storage' };

const StorageDialog = whenOpened(() =>
  import('./screens/storage/storage-dialog.tsx').then((loaded) => loaded.StorageDialog),
);
const BuiltInServerDialog = whenOpened(() =>
  import('./screens/built-in-server/built-in-server-dialog.tsx').then((loaded) => loaded.BuiltInServerDialog),
);
const ContractRunDialog = whenOpened(() =>
  import('./screens/contract-run/contract-run-dialog.tsx').then((loaded) => loaded.ContractRunDialog),
);

interface DialogsProps {
  open: OpenDialog | undefined;
  state: AppState;
  /** Opens the contract run, and takes the focus back from it when what had it is gone. */
  contractRunRef: RefObject<HTMLButtonElement | null>;
  onClose: () => void;
  onShowCall: (call: CallSummary) => void;
}

/** Shows the dialog that is open, if there is one. */
export function Dialogs({ open, state, contractRunRef, onClose, onShowCall }: DialogsProps) {
  switch (open?.kind) {
    case 'servers':
      return <ServersDialog state={state} editing={open.editing} onClose={onClose} />;
    case 'sessions':
      return <SessionsDialog state={state} onClose={onClose} />;
    case 'security':
      return <SecurityDialog state={state} onClose={onClose} />;
    case 'storage':
      return <StorageDialog state={state} onClose={onClose} />;
    case 'builtInServer':
      return <BuiltInServerDialog state={state} onClose={onClose} />;
    case 'contract-run':
      return (
        <ReturningFocus to={contractRunRef}>
          <ContractRunDialog
            state={state}
            onClose={onClose}
            onShowCall={(call) => {
              onClose();
              onShowCall(call);
            }}
          />
        </ReturningFocus>
      );
    case undefined:
      return null;
    default:
      return open satisfies never;
  }
}

/** Gives the focus back. What had it is remembered out here, since it may move while the dialog is loaded. */
function ReturningFocus({ to, children }: { to: RefObject<HTMLElement | null>; children: ReactNode }) {
  useFocusReturn(to);
  return children;
}
