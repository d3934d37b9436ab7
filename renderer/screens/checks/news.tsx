import { ActionIcon, Text } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { moveFocus } from '../../move-focus.ts';
import type { AppError } from '../../../preload/contract/result.ts';
import { CloseIcon } from '../../components/icons.tsx';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { Said } from '../../components/said.tsx';
import classes from './checks-page.module.css';
import type { RunView } from './use-run-view.ts';
import { t } from '../../i18n.ts';

/** Says how the last action ended, over the lower end of the room, so that nothing moves. */
export function News({ run: { error, said, hush } }: { run: RunView }) {
  const isThere = error !== undefined || said !== undefined;
  return (
    <div className={classes.news} data-there={isThere}>
      <div className="slim">
        {error && <Failure key={JSON.stringify(error)} error={error} />}
        <Said outcome={said} />
      </div>
      {isThere && (
        <ActionIcon variant="subtle" color="gray" size={28} aria-label={t('app.close')} onClick={hush}>
          <CloseIcon />
        </ActionIcon>
      )}
    </div>
  );
}

/** Shows a failure. It takes the focus, since it came of something that was pressed. */
function Failure({ error }: { error: AppError }) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => moveFocus(ref.current), []);
  return (
    <Message tone="error" ref={ref}>
      <Text component="div">
        <ErrorText error={error} during="server" />
      </Text>
    </Message>
  );
}
