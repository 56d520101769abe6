import { MessageBar, MessageBarBody } from '@fluentui/react-components';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import type { JsonObject } from '../../../../core/lib/json-value.ts';
import { lineText, maxTagLength } from '../../../../core/schemas/channel-field.ts';
import { modelMappingSchema } from '../../../../core/schemas/channel-json.ts';
import { type TagGroup, useChannelActions } from '../../api/channel.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { TextField } from '../../components/form/field.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { JsonField } from '../../components/form/json-field.tsx';
import { formerValues, useStaleQuestion } from '../../components/form/use-loaded-record.tsx';
import { changedValues, useSchemaForm } from '../../components/form/use-schema-form.ts';
import { mappingTemplate } from './channel-form.ts';
import { GroupField } from './group-field.tsx';
import { ModelField } from './model-field.tsx';
import { useChannelField } from './use-channel-field.ts';

const tagFormSchema = z.object({
  new_tag: lineText(maxTagLength),
  models: z.array(z.string()),
  groups: z.array(z.string()),
  // One sentence for everything that can be wrong with it (operations spec, section 5).
  model_mapping: z.string().refine((text) => modelMappingSchema.safeParse(text).success, {
    message: 'channel:tag.mappingBroken',
  }),
});
type TagForm = z.output<typeof tagFormSchema>;

/** Changes to all channels of a tag at once; what stays empty stays as it is. `group` follows the list. */
export function TagEditor({ group, onClose }: { group: TagGroup; onClose: () => void }) {
  const { t } = useTranslation('channel');
  const notify = useNotify();
  const confirm = useConfirm();
  const { editTag } = useChannelActions();
  const wantsCurrent = useStaleQuestion(useChannelField(), t('tag.stale'));
  const { tag, channels } = group;
  // What the form is about, whatever is read behind it.
  const shown = useRef(group);
  const current = useRef(group);
  current.current = group;
  const form = useSchemaForm(tagFormSchema, { new_tag: tag, models: [], groups: [], model_mapping: '' });

  async function save(output: TagForm): Promise<void> {
    const { models, groups, ...texts } = changedValues(form, output);
    const changes = {
      ...texts,
      ...(models?.length && { models: models.join(',') }),
      ...(groups?.length && { groups: groups.join(',') }),
    };
    if (Object.keys(changes).length === 0) return notify.warning(t('shell:form.unchanged'));
    if (changes.new_tag === '' && !(await mayDissolve())) return;
    try {
      const count = await editTag({ tag, ...changes, loaded: loadedOf(shown.current, changes) });
      notify.success(t('done.tagSaved', { count }));
      onClose();
    } catch (error) {
      if (await wantsCurrent(error)) shown.current = current.current;
    }
  }

  const mayDissolve = () =>
    confirm({
      title: t('tag.dissolveTitle', { tag }),
      text: t('tag.dissolveText', { count: channels.length }),
      action: t('tag.dissolve'),
    });

  return (
    <FormDrawer title={t('tag.edit', { tag })} {...{ form, onClose }} onSubmit={save}>
      <MessageBar intent="warning" layout="multiline">
        <MessageBarBody>{t('tag.warning', { count: channels.length })}</MessageBarBody>
      </MessageBar>
      <TextField name="new_tag" label={t('tag.newName')} hint={t('tag.newNameHint')} />
      <ModelField name="models" presets={[...new Set(channels.flatMap(({ models }) => models.split(',')))]} />
      <GroupField name="groups" />
      <JsonField
        name="model_mapping"
        label={t('field.mapping')}
        hint={t('tag.unchangedHint')}
        template={mappingTemplate}
      />
    </FormDrawer>
  );
}

/** Of each channel what is about to be changed, by its id. */
function loadedOf({ channels }: TagGroup, { new_tag: tag, groups: group, ...others }: JsonObject): JsonObject {
  const changes = { ...others, ...(tag !== undefined && { tag }), ...(group !== undefined && { group }) };
  return Object.fromEntries(channels.map((channel) => [channel.id, formerValues(changes, channel)]));
}
