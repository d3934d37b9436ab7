import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, type Ref, useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useAppState } from '../api.ts';

interface CardProps {
  title: string;
  headingRef: Ref<HTMLHeadingElement>;
  /** It stands beside the heading, and the keyboard reaches it before the heading. */
  above?: ReactNode;
  children: ReactNode;
}

/** Shows the card that every screen is. Its heading can take the focus, and stands in the window's title. */
export function Card({ title, headingRef, above, children }: CardProps) {
  const { t } = useTranslation();
  const state = useAppState();
  const server = state?.servers.find(({ id }) => id === state.activeServerId);
  const where = server && !server.builtIn ? `${server.name} – ` : '';
  const windowTitle = `${title} – ${where}${t('app.name')}`;
  useEffect(() => {
    document.title = windowTitle;
  }, [windowTitle]);

  return (
    <Paper withBorder shadow="sm" p={{ base: 'md', xs: 'xl' }} maw={480} w="100%" mx="auto" bg="var(--surface)">
      <Stack gap="md">
        <Group justify="space-between" wrap="wrap-reverse">
          {above && <div style={{ order: 2 }}>{above}</div>}
          <Title order={1} size="h2" ref={headingRef} tabIndex={-1} style={{ order: 1 }}>
            {title}
          </Title>
        </Group>
        {children}
      </Stack>
    </Paper>
  );
}

interface OtherScreenProps {
  question: string;
  label: string;
  onOpen: () => void;
}

/** Leads to the other form. It is a link, since it changes nothing. */
export function OtherScreen({ question, label, onOpen }: OtherScreenProps) {
  return (
    <Group gap="xs" justify="center">
      <Text size="sm">{question}</Text>
      <Anchor
        size="sm"
        underline="always"
        href="#"
        onClick={(event) => {
          event.preventDefault();
          onOpen();
        }}
      >
        {label}
      </Anchor>
    </Group>
  );
}
