import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { useFormContext, useWatch } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { fetchModels, useModelLists } from '../../api/channel.ts';
import { TextField } from '../../components/form/field.tsx';
import { AdvancedFields } from './advanced-fields.tsx';
import { useOffText, useUsageText } from './channel-badge.tsx';
import { type ChannelForm, keysOf } from './channel-form.ts';
import { useTypeName } from './channel-type.ts';
import { DestinationFields } from './destination-fields.tsx';
import { GroupField } from './group-field.tsx';
import { ModelField } from './model-field.tsx';
import { ProviderGallery } from './provider-gallery.tsx';
import { TypeField } from './type-field.tsx';
import { UnpricedModels } from './unpriced-models.tsx';
import { useModelReading } from './use-model-reading.ts';

interface ChannelFieldsProps {
  channel: Channel | undefined;
  /** Whether the provider of a new channel has been chosen. */
  isPicked: boolean;
  onPick: () => void;
}

/** Provider, key, models; the rest in sections below. */
export function ChannelFields({ channel, isPicked, onPick }: ChannelFieldsProps) {
  const { t } = useTranslation('channel');
  const isNew = channel === undefined;
  const modelLists = useModelLists();
  const typeName = useTypeName();
  const { getValues, setValue } = useFormContext<ChannelForm>();
  const [type, typedKey, address, models, mapping] = useWatch<
    ChannelForm,
    ['type', 'key', 'base_url', 'models', 'model_mapping']
  >({ name: ['type', 'key', 'base_url', 'models', 'model_mapping'] });
  const presetsOf = (one: number) => modelLists[one] ?? [];
  const reading = useModelReading({ isNew, presetsOf });

  function pick(picked: number): void {
    const name = getValues('name');
    if (isNew && (name === '' || name === typeName(type))) setValue('name', typeName(picked));
    if (isNew) setValue('other', '');
    setValue('type', picked, { shouldDirty: !isNew });
    reading.startOver(picked);
    onPick();
  }

  const fetchList = () => {
    reading.skip();
    // What is typed goes before what is stored, and the stored key only to its own place.
    const isStored = channel && typedKey === '' && address === channel.base_url && type === channel.type;
    const values = getValues();
    const [key = ''] = keysOf(values);
    const { other, openai_organization, setting } = values;
    return fetchModels(isStored ? channel.id : { type, base_url: address, key, other, openai_organization, setting });
  };

  const note = reading.isReading
    ? t('form.reading')
    : (reading.count ?? 0) > 0 && t('form.read', { count: reading.count });
  return (
    <>
      {channel && <ChannelNotes channel={channel} />}
      <TypeField modelLists={modelLists} isPicked={isPicked} onPick={pick} />
      {isPicked ? (
        <>
          <DestinationFields isNew={isNew} onLeave={() => void reading.read()} />
          <ModelField name="models" presets={presetsOf(type)} fetchModels={fetchList} note={note || ''} isRequired />
          <UnpricedModels models={models} mapping={mapping} />
          <TextField name="name" label={t('field.name')} placeholder={t('form.namePlaceholder')} isRequired />
          <GroupField name="groups" isRequired />
          <AdvancedFields />
        </>
      ) : (
        <ProviderGallery label={t('form.provider')} onPick={pick} />
      )}
    </>
  );
}

/** What is wrong with it now. */
function ChannelNotes({ channel }: { channel: Channel }) {
  const offText = useOffText();
  const usageText = useUsageText();
  return [channel.problem, offText(channel), usageText(channel)].filter(Boolean).map((note) => (
    <MessageBar key={note} intent="warning" layout="multiline">
      <MessageBarBody>{note}</MessageBarBody>
    </MessageBar>
  ));
}
