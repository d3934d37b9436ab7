import { Button } from '@mantine/core';
import type { Ref } from 'react';
import type { InterfaceGuess } from '../../../preload/contract/connection.ts';
import { api } from '../../api.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { FolderIcon, PasteIcon, UploadIcon } from '../../components/icons.tsx';
import { useAction } from '../../use-action.ts';
import classes from './interface-fold.module.css';
import type { Given } from './use-import.ts';
import { t } from '../../i18n.ts';

const none: readonly InterfaceGuess[] = [];

interface ImportButtonsProps {
  ref?: Ref<HTMLDivElement>;
  onGiven: (given: Given) => void;
  /** The description that there is, which can be edited; an empty one is Llavero's own. */
  saved?: string | undefined;
  /** What of it is a guess. */
  guesses?: readonly InterfaceGuess[] | undefined;
  /** Whether the formats and the folder have no room. */
  isShort?: boolean;
}

/** Asks for the text, the file or the folder that says how a server speaks. */
export function ImportButtons({ ref, onGiven, saved = '', guesses = none, isShort = false }: ImportButtonsProps) {
  const attempt = useAction();
  async function open(what: 'file' | 'folder') {
    const chosen = await attempt.run(() => api.interfaces.findInFile({ what }));
    if (!chosen?.ok) return;
    const { finding, description, name } = chosen.value;
    if (description !== undefined) onGiven({ from: 'text', text: description });
    else if (finding) onGiven({ from: 'file', finding, name });
  }
  return (
    <div className="grid gap4">
      <div ref={ref} className={classes.buttons} data-short={isShort}>
        <Button
          variant="default"
          size="xs"
          leftSection={<PasteIcon />}
          onClick={() => onGiven({ from: 'text', text: '' })}
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
          <Button variant="default" size="xs" onClick={() => onGiven({ from: 'saved', text: saved, guesses })}>
            {t('interface.edit')}
          </Button>
        )}
      </div>
      {!isShort && <p className={classes.help}>{t('interface.formats')}</p>}
      {attempt.failure && (
        <div role="alert" className={classes.wrong}>
          <ErrorText error={attempt.failure.error} during="server" />
        </div>
      )}
    </div>
  );
}
