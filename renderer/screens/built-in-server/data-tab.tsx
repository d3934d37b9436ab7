import { Text } from '@mantine/core';
import { ConfirmDialog } from '../../components/question-dialog.tsx';
import type { TabProps } from './tab-props.ts';
import { ReplaceForm } from './replace-form.tsx';
import { formatters } from '../../format.ts';
import { Snapshots } from './snapshots.tsx';
import { TabPage } from './tab-page.tsx';
import { type Asking, useBuiltInData } from './use-data.ts';
import { t } from '../../i18n.ts';

const verbs = { reset: 'replace', restore: 'restore', remove: 'remove' } as const satisfies Record<
  Asking['kind'],
  string
>;

/** Acts on all accounts at once: it replaces them, undoes that, and keeps snapshots. */
export function DataTab({ onChanged }: TabProps) {
  const moments = formatters();
  const { held, error, sending, asking, setAsking, makeRef, replace, undo, snapshot, goOn } = useBuiltInData(onChanged);

  function sayQuestion(wanted: Asking, number: number): string {
    if (wanted.kind === 'reset') return t('builtIn.data.sure', { number });
    const time = moments.moment(wanted.atMs);
    return wanted.kind === 'restore'
      ? t('builtIn.data.sureRestore', { number, time })
      : t('builtIn.data.sureRemove', { time });
  }

  return (
    <TabPage error={error}>
      {!held && !error && <Text size="sm">{t('builtIn.loading')}</Text>}
      {asking && held && (
        <ConfirmDialog
          title={t(`builtIn.data.ask.${verbs[asking.kind]}`)}
          help={sayQuestion(asking, held.accounts)}
          keep={t('builtIn.data.keep')}
          goOn={t(`builtIn.data.${verbs[asking.kind]}Now`)}
          sending={sending}
          onKeep={() => setAsking(undefined)}
          onGoOn={goOn}
        />
      )}
      {(held ?? error) && (
        <>
          <ReplaceForm
            accounts={held?.accounts}
            canUndo={held?.canUndo ?? false}
            sending={sending}
            onReplace={replace}
            onUndo={() => void undo()}
          />
          <Snapshots
            makeRef={makeRef}
            snapshots={held?.snapshots}
            sending={sending}
            onMake={() => void snapshot()}
            onChoose={(kind, id, atMs) => setAsking({ kind, id, atMs })}
          />
        </>
      )}
    </TabPage>
  );
}
