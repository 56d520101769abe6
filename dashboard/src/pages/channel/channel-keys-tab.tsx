import { Button, MessageBar, MessageBarBody, Text } from '@fluentui/react-components';
import { Key20Regular } from '@fluentui/react-icons/svg/key';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { channelTypeOf } from '../../../../core/schemas/channel-type.ts';
import { useChannelActions } from '../../api/channel.ts';
import { useChannelKeyActions, useChannelKeys } from '../../api/channel-key.ts';
import { useNotify } from '../../components/feedback/notify.tsx';
import { PasswordField, TextAreaField } from '../../components/form/field.tsx';
import { useSchemaForm } from '../../components/form/use-schema-form.ts';
import { FormSection } from '../../components/object/form-section.tsx';
import { SectionCard } from '../../components/section-card.tsx';
import { sentence } from '../../state/sentence.ts';
import { isRoot, sessionUser } from '../../state/session.ts';
import { ChannelKeyList } from './channel-key-list.tsx';
import { useTestOne } from './use-channel-row.tsx';

const KeyDialog = lazy(async () => ({ default: (await import('./channel-key-dialog.tsx')).ChannelKeyDialog }));

const keySchema = z.object({ key: z.string().trim().min(1, { message: 'shell:form.required' }).max(1_000_000) });

/** The keys of a channel are write only: admins add, replace and disable them, and root can show them. */
export function ChannelKeysTab({ channel }: { channel: Channel }) {
  const { t } = useTranslation('channel');
  const notify = useNotify();
  const test = useTestOne();
  const { update } = useChannelActions();
  const [isShown, setShown] = useState(false);
  const mayShow = isRoot(sessionUser.use());
  const form = useSchemaForm(keySchema, { key: '' });
  const adding = useSchemaForm(keySchema, { key: '' });
  const { add: addKeys } = useChannelKeyActions(channel.id);
  const isPool = channel.key_mode !== '';
  // To keys that cannot be decrypted none can be added: new ones take their place.
  const isUnreadable = (useChannelKeys(channel.id).data ?? []).some(({ key_problem }) => key_problem !== undefined);
  const counts = { on: channel.key_on_count, total: channel.key_count };
  const { isKeyDocument = false, keyFormat = '', keyExample = keyFormat } = channelTypeOf(channel.type) ?? {};
  const keysField = { name: 'key', label: t('form.keys'), rows: 4, isRequired: true };
  const field = { name: 'key', label: t('keyTab.new'), placeholder: keyExample, isRequired: true };

  async function replace({ key }: { key: string }): Promise<void> {
    await update({ id: channel.id, key });
    form.reset();
    notify.success(t('keyTab.replaced'));
    await test(channel);
  }

  /** A channel with one key becomes one with several. */
  async function add({ key }: { key: string }): Promise<void> {
    await addKeys({ key });
    adding.reset();
    notify.success(t('keyTab.added'));
  }

  return (
    <>
      <SectionCard
        title={t(isPool ? 'keyTab.titleMany' : 'keyTab.title')}
        aside={
          mayShow &&
          !channel.problem && (
            <Button icon={<Key20Regular />} onClick={() => setShown(true)}>
              {t('action.showKey')}
            </Button>
          )
        }
      >
        {channel.problem ? (
          <MessageBar intent="error" layout="multiline">
            <MessageBarBody>{sentence(channel.problem)}</MessageBarBody>
          </MessageBar>
        ) : (
          <Text>{t(isPool ? 'keyTab.storedMany' : 'keyTab.stored', counts)}</Text>
        )}
        {isPool && <ChannelKeyList channel={channel} />}
      </SectionCard>
      {!isUnreadable && (
        <FormSection title={t('keyTab.add')} action={t('keyTab.addAction')} form={adding} onSubmit={add}>
          <TextAreaField {...keysField} hint={t(isKeyDocument ? 'keyTab.addDocuments' : 'keyTab.addHint')} />
        </FormSection>
      )}
      {(!isPool || isUnreadable) && (
        <FormSection title={t('keyTab.replace')} action={t('keyTab.save')} form={form} onSubmit={replace}>
          {isPool ? (
            <TextAreaField {...keysField} hint={t(isKeyDocument ? 'keyTab.addDocuments' : 'keyTab.replaceHint')} />
          ) : isKeyDocument ? (
            <TextAreaField {...field} rows={6} />
          ) : (
            <PasswordField {...field} autoComplete="new-password" />
          )}
        </FormSection>
      )}
      <Suspense fallback={null}>{isShown && <KeyDialog channel={channel} onClose={() => setShown(false)} />}</Suspense>
    </>
  );
}
