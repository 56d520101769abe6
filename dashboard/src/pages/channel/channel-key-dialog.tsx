import { Button, Field, Input, MessageBar, MessageBarBody, Textarea } from '@fluentui/react-components';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { revealKey } from '../../api/channel.ts';
import { useCopy } from '../../components/feedback/copy.tsx';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';

const formId = 'channel-key-password';

/** The stored key, for root, who says the own password once more. */
export function ChannelKeyDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  const { t } = useTranslation('channel');
  const copy = useCopy();
  const [password, setPassword] = useState('');
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const [key, setKey] = useState<string>();

  async function reveal(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (password === '') return setRefusal(t('shell:form.required'));
    setBusy(true);
    try {
      setKey(await revealKey(channel.id, password));
      setPassword('');
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    } finally {
      setBusy(false);
    }
  }

  return (
    <PanelDialog
      title={t('key.title', { name: channel.name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('shell:action.close')}</Button>
          {key === undefined ? (
            <Button appearance="primary" type="submit" form={formId} disabledFocusable={isBusy}>
              {t('key.show')}
            </Button>
          ) : (
            <Button appearance="primary" onClick={() => copy(key)}>
              {t('key.copy')}
            </Button>
          )}
        </>
      }
    >
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>{t('key.warning')}</MessageBarBody>
      </MessageBar>
      {key === undefined ? (
        <form id={formId} noValidate onSubmit={(event) => void reveal(event)}>
          <Field label={t('key.password')} validationMessage={refusal} required>
            <Input
              type="password"
              autoComplete="current-password"
              value={password}
              onChange={(_event, { value }) => {
                setPassword(value);
                setRefusal(undefined);
              }}
            />
          </Field>
        </form>
      ) : (
        <Field label={t('field.key')}>
          <Textarea readOnly resize="vertical" rows={key.length > 200 ? 8 : 3} value={key} />
        </Field>
      )}
    </PanelDialog>
  );
}
