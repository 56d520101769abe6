import { Button, Field, Input } from '@fluentui/react-components';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { maxTagLength } from '../../../../core/schemas/channel-field.ts';
import { useChannelActions } from '../../api/channel.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { PanelDialog } from '../../components/feedback/panel-dialog.tsx';

const formId = 'set-channel-tag';

/** Puts the marked channels under one tag. */
export function SetTagDialog({ channels, onClose }: { channels: Channel[]; onClose: () => void }) {
  const { t } = useTranslation('channel');
  const notify = useNotify();
  const { setTagOf } = useChannelActions();
  const [tag, setTag] = useState('');
  const [refusal, setRefusal] = useState<string>();

  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    const wanted = tag.trim();
    if (wanted === '') return setRefusal(t('tag.missing'));
    try {
      await setTagOf({ ids: channels.map(({ id }) => id), tag: wanted });
      onClose();
      notify.undo(t('done.tagged', { count: channels.length, tag: wanted }), () => void takeBack().catch(notify.error));
    } catch (error) {
      setRefusal(error instanceof Error ? error.message : String(error));
    }
  }

  /** Each channel under the tag it had. */
  async function takeBack(): Promise<void> {
    for (const before of new Set(channels.map((channel) => channel.tag ?? ''))) {
      const ids = channels.filter((channel) => (channel.tag ?? '') === before).map(({ id }) => id);
      await setTagOf({ ids, tag: before });
    }
  }

  return (
    <PanelDialog
      title={t('tag.setTitle', { count: channels.length })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('shell:action.cancel')}</Button>
          <Button appearance="primary" type="submit" form={formId}>
            {t('tag.set')}
          </Button>
        </>
      }
    >
      <form id={formId} noValidate onSubmit={(event) => void save(event)}>
        <Field label={t('field.tag')} validationMessage={refusal} required>
          <Input
            value={tag}
            maxLength={maxTagLength}
            autoComplete="off"
            onChange={(_event, { value }) => {
              setTag(value);
              setRefusal(undefined);
            }}
          />
        </Field>
      </form>
    </PanelDialog>
  );
}
