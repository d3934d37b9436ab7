import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { Understanding } from '../../preload/contract/models.ts';
import { sayRule } from '../say-rule.ts';
import { useTexts } from '../texts.tsx';
import { Fields } from './fields.tsx';

interface UnderstoodProps {
  answers: readonly Understanding[];
  onPin: () => void;
}

/** Shows why the answers were read as they were, once it is unfolded. */
export function Understood({ answers, onPin }: UnderstoodProps) {
  const { t } = useTexts();
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <Text component="summary" size="sm">
        {t('understood.title')}
      </Text>
      {isOpen && <Answers answers={answers} onPin={onPin} />}
    </details>
  );
}

function Answers({ answers, onPin }: UnderstoodProps) {
  const { t } = useTexts();
  return (
    <Stack gap="md" mt="sm">
      <Text size="sm" c="dimmed">
        {t('understood.help')}
      </Text>
      {answers.map((answer) => (
        <section key={answer.operation} aria-label={t('understood.answer', { operation: `/${answer.operation}` })}>
          <Title order={2} size="h6">
            {t('understood.answer', { operation: `/${answer.operation}` })}
          </Title>
          <UnderstoodAnswer answer={answer} />
        </section>
      ))}
      <div>
        <Button variant="default" size="xs" onClick={onPin}>
          {t('understood.pin')}
        </Button>
      </div>
    </Stack>
  );
}

/** Shows how one answer was taken, what was found where in it, and by which rules. */
export function UnderstoodAnswer({ answer }: { answer: Understanding }) {
  const { t } = useTexts();
  const { verdict, rule, found } = answer;
  return (
    <Fields
      fields={[
        { label: t('understood.verdict'), value: <Finding place={verdict} rule={rule} /> },
        ...found.map((each) => ({
          label: t(`understood.${each.what}`),
          value: <Finding place={each.path} rule={each.rule} />,
        })),
      ]}
    />
  );
}

function Finding({ place, rule }: { place: string; rule: string }) {
  const { i18n } = useTexts();
  return (
    <>
      <Text inherit ff="monospace">
        <bdi>{place}</bdi>
      </Text>
      <Text size="xs" c="dimmed">
        {sayRule(rule, i18n)}
      </Text>
    </>
  );
}
