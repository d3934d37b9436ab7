import { lazy, Suspense } from 'react';
import type { AppState } from '../../preload/contract/models.ts';

/** Not needed for the first frame, nor by who never opens it. */
const LazyDialog = lazy(() =>
  import('../screens/storage/storage-dialog.tsx').then(({ StorageDialog }) => ({ default: StorageDialog })),
);

/** The dialog, loaded when it is first opened. */
export function StorageDialog(props: { state: AppState; onClose: () => void }) {
  return (
    <Suspense>
      <LazyDialog {...props} />
    </Suspense>
  );
}
