import { Button } from '@mantine/core';
import type { InterfaceGuess } from '../../../preload/contract/connection.ts';
import { api } from '../../api.ts';
import { ErrorMessage } from '../../components/error-message.tsx';
import { FolderIcon, PasteIcon, UploadIcon } from '../../components/icons.tsx';
import { t } from '../../i18n.ts';
import { useAction } from '../../use-action.ts';
import classes from './interface-fold.module.css';
import type { Source } from './use-import.ts';

const none: readonly InterfaceGuess[] = [];

interface ImportButtonsProps {
  onSource: (source: Source) => void;
  /** The current description, which can be edited; an empty one is Llavero's own. */
  saved?: string | undefined;
  /** Its parts that are guesses. */
  guesses?: readonly InterfaceGuess[] | undefined;
  /** Hides the formats and the folder button. */
  isShort?: boolean;
}

export function ImportButtons({ onSource, saved = '', guesses = none, isShort = false }: ImportButtonsProps) {
  const { run, failure } = useAction();
  const open = (what: 'file' | 'folder') =>
    run(
      () => api.interfaces.findInFile({ what }),
      ({ finding, description, name }) => {
        if (description !== undefined) onSource({ from: 'text', text: description });
        else if (finding) onSource({ from: 'file', finding, name });
      },
    );
  return (
    <div className="grid gap4">
      <div data-home className={classes.buttons} data-short={isShort}>
        <Button
          variant="default"
          size="xs"
          leftSection={<PasteIcon />}
          onClick={() => onSource({ from: 'text', text: '' })}
        >
          {t('interface.paste')}
        </Button>
        <Button variant="default" size="xs" leftSection={<UploadIcon />} onClick={() => void open('file')}>
          {t('interface.openFile')}
        </Button>
        {!isShort && (
          <Button variant="default" size="xs" leftSection={<FolderIcon />} onClick={() => void open('folder')}>
            {t('interface.openFolder')}
          </Button>
        )}
        {saved !== '' && (
          <Button variant="default" size="xs" onClick={() => onSource({ from: 'saved', text: saved, guesses })}>
            {t('interface.edit')}
          </Button>
        )}
      </div>
      {!isShort && <p className="flush hint anywhere">{t('interface.formats')}</p>}
      {failure && <ErrorMessage error={failure.error} during="server" />}
    </div>
  );
}
