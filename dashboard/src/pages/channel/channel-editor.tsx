import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Channel } from '../../../../core/schemas/channel.ts';
import { ApiError } from '../../api/api-error.ts';
import { newestNamed, readChannel, useChannel, useChannelActions } from '../../api/channel.ts';
import { useConfirm } from '../../components/feedback/confirm.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { FormDrawer } from '../../components/form/form-drawer.tsx';
import { useLoadedRecord } from '../../components/form/use-loaded-record.tsx';
import { changedValues, useSchemaForm } from '../../components/form/use-schema-form.ts';
import { FormSection } from '../../components/object/form-section.tsx';
import { randomUuid } from '../../state/random-uuid.ts';
import { isRoot, sessionUser } from '../../state/session.ts';
import { ChannelFields } from './channel-fields.tsx';
import {
  type ChannelForm,
  channelCount,
  channelFormSchema,
  channelFormValues,
  isMoved,
  keysOf,
  toChannelFields,
} from './channel-form.ts';
import { useChannelField } from './use-channel-field.ts';
import { useTestOne } from './use-channel-row.tsx';

interface ChannelEditorProps {
  /** Undefined for a new channel. */
  id: number | undefined;
  onClose: () => void;
}

/** A new channel, or changes to one as it is stored now. */
export function ChannelEditor({ id, onClose }: ChannelEditorProps) {
  const { t } = useTranslation('channel');
  const notify = useNotify();
  const { data: channel, error } = useChannel(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each failure
  useEffect(() => {
    // Read again in vain, as after the session has ended, the form stands with what was typed.
    if (!error || channel) return;
    // A refusal that is not an HTTP error: there is no such channel.
    notify.error(error instanceof ApiError && error.status === 200 ? t('notFound') : error);
    onClose();
  }, [error]);
  if (id !== undefined && !channel) return null;
  return <ChannelFormFrame channel={channel} onClose={onClose} />;
}

/** The same on the channel's own page. The form is filled from stored values again after each save, and by nothing else: what is typed stays. */
export function ChannelSettings({ channel }: { channel: Channel }) {
  const [version, setVersion] = useState(0);
  return <ChannelFormFrame key={version} channel={channel} onClose={() => setVersion(version + 1)} isPart />;
}

interface ChannelFormFrameProps {
  channel: Channel | undefined;
  onClose: () => void;
  /** Where it stands on the channel's own page: not in a drawer. */
  isPart?: boolean;
}

/** The form of a channel, with its buttons; of a new one, first the choice of its provider. */
function ChannelFormFrame({ channel, onClose, isPart = false }: ChannelFormFrameProps) {
  const { t } = useTranslation('channel');
  const isNew = channel === undefined;
  const [isPicked, setPicked] = useState(!isNew);
  const form = useSchemaForm(channelFormSchema(isNew), channelFormValues(channel));
  const save = useSaveChannel({ channel, form, onClose });

  const Frame = isPart ? FormSection : FormDrawer;
  return (
    <Frame
      size="narrow"
      isReady={isPicked}
      title={channel ? t('form.edit', { name: channel.name }) : t('add')}
      action={t('form.saveAndTest')}
      otherAction={{
        text: t(isNew ? 'form.create' : 'shell:action.save'),
        onSubmit: (output) => save(output, false),
      }}
      onSubmit={(output) => save(output, true)}
      {...{ form, onClose }}
    >
      <ChannelFields channel={channel} isPicked={isPicked} onPick={() => setPicked(true)} />
    </Frame>
  );
}

interface SaveOptions {
  channel: Channel | undefined;
  form: ReturnType<typeof useChannelForm>;
  onClose: () => void;
}

/** Only to name the type of the form. */
const useChannelForm = () => useSchemaForm(channelFormSchema(true), channelFormValues(undefined));

function useSaveChannel({ channel, form, onClose }: SaveOptions) {
  const { t } = useTranslation('channel');
  const notify = useNotify();
  const confirm = useConfirm();
  const test = useTestOne();
  const isOwner = isRoot(sessionUser.use());
  const { create, update } = useChannelActions();
  const requestKey = useRef(randomUuid());
  const saveLoaded = useLoadedRecord({
    form,
    record: channel,
    valuesOf: (now: Channel) => channelFormValues(now),
    read: () => readChannel(channel?.id ?? 0),
    describe: useChannelField(),
  });

  async function add(output: ChannelForm): Promise<Channel[]> {
    const keys = keysOf(output);
    await create({ ...toChannelFields(output), key: keys.join('\n'), request_key: requestKey.current });
    const count = channelCount(output);
    notify.success(count > 1 ? t('done.createdMany', { count }) : t('done.created'));
    return newestNamed(output.name, count);
  }

  /** Undefined when nothing was saved. */
  async function change(before: Channel, output: ChannelForm): Promise<Channel[] | undefined> {
    const changed = changedValues(form, output);
    if (Object.keys(changed).length === 0) {
      notify.warning(t('shell:form.unchanged'));
      return undefined;
    }
    const isKeyKept = isMoved(before, output) && output.key === '';
    if (isKeyKept && !(await mayKeepKey())) return undefined;
    const order = { id: before.id, ...(isKeyKept && { confirmKeepKey: true }) };
    if (!(await saveLoaded(toChannelFields(changed), (fields) => update({ ...fields, ...order })))) return undefined;
    notify.success(t('done.saved'));
    return [before];
  }

  /** Root may send the stored key to another place; others have to know it. */
  async function mayKeepKey(): Promise<boolean> {
    if (!isOwner) {
      form.setError('key', { message: 'channel:form.keyNeeded' }, { shouldFocus: true });
      return false;
    }
    return confirm({
      title: t('keepKey.title'),
      text: t('keepKey.text'),
      action: t('keepKey.action'),
      isDangerous: true,
    });
  }

  return async (output: ChannelForm, hasTest: boolean): Promise<void> => {
    const saved = channel ? await change(channel, output) : await add(output);
    if (!saved) return;
    onClose();
    if (hasTest) for (const one of saved) void test(one);
  };
}
