import { Button, Text } from '@mantine/core';
import { urlText } from '../../answers/call-text.ts';
import { ErrorText } from '../../components/error-message.tsx';
import { Message } from '../../components/message.tsx';
import { Said } from '../../components/said.tsx';
import classes from './calls.module.css';
import { Rows } from './rows.tsx';
import type { ShownCalls } from './use-calls.ts';
import { t } from '../../i18n.ts';
import { useApp } from '../../api.ts';

/** Shows the list, and below it what is to be said about it. */
export function ListPane({ calls }: { calls: ShownCalls }) {
  const state = useApp();
  const { list, shown, said, opened, open, rowsRef } = calls;
  return (
    <div className={classes.list}>
      {shown.calls.length > 0 ? (
        <Rows
          list={shown}
          servers={state.servers}
          sessions={state.sessions}
          rowsRef={rowsRef}
          openId={opened?.summary.id}
          onOpen={(id, byKeyboard) => void open(id, byKeyboard)}
          onOlder={() => void list.older()}
        />
      ) : (
        <NothingThere calls={calls} />
      )}
      {shown.error && (
        <Message tone="error">
          <ErrorText error={shown.error} during="server" />
        </Message>
      )}
      <Said outcome={said} />
      <Picking calls={calls} />
    </div>
  );
}

/** Says that a second call is to be chosen. Its place is below the list, which it does not move. */
function Picking({ calls: { picking, backToCall } }: { calls: ShownCalls }) {
  return (
    <output className={classes.picking}>
      {picking && (
        <>
          <Text size="sm">
            {t('compare.pick', { call: `${picking.request.method} ${pathOf(urlText(picking.request.url))}` })}
          </Text>
          <Button variant="default" size="compact-sm" onClick={backToCall}>
            {t('app.cancel')}
          </Button>
        </>
      )}
    </output>
  );
}

const pathOf = (url: string): string => (URL.canParse(url) ? new URL(url).pathname : url);

/** Says that nothing was found, or in the dock that nothing was sent: a list that is only filtered has no picture. */
function NothingThere({ calls }: { calls: ShownCalls }) {
  if (!calls.shown.filter) return <div className={classes.nothing} />;
  return (
    <div className={classes.nothing}>
      <Text size="sm" c="dimmed">
        {t(calls.isFiltered ? 'calls.nothingFound' : 'calls.empty')}
      </Text>
      {calls.isFiltered && (
        <Button variant="default" size="xs" onClick={calls.clearFilters}>
          {t('calls.clearFilters')}
        </Button>
      )}
    </div>
  );
}
