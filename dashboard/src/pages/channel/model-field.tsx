import { Button, Field, Input, makeStyles, Text, tokens } from '@fluentui/react-components';
import { lazy, Suspense, useState } from 'react';
import { useController } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { typedNames } from '../../../../core/lib/typed-list.ts';
import { maxModelNameLength } from '../../../../core/schemas/channel-field.ts';
import { useKnownModels } from '../../api/channel.ts';
import { useCopy } from '../../components/feedback/copy.tsx';
import { useNotify } from '../../components/feedback/notify.tsx';
import { PickField } from '../../components/form/pick-field.tsx';
import { useTypedEntry } from '../../components/form/typed-entry.ts';
import { PresetRow } from '../../components/preset-row.tsx';

const ModelPickDialog = lazy(() =>
  import('./model-pick-dialog.tsx').then((file) => ({ default: file.ModelPickDialog })),
);

interface ModelFieldProps {
  name: string;
  /** Models that belong here without being asked for. */
  presets: string[];
  /** Asks the upstream which it serves. */
  fetchModels?: () => Promise<string[]>;
  /** What is being done about them, or was. */
  note?: string;
  isRequired?: boolean;
}

const useStyles = makeStyles({
  field: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS, minWidth: 0 },
  custom: { display: 'flex', alignItems: 'flex-end', gap: tokens.spacingHorizontalS },
  note: { color: tokens.colorNeutralForeground3 },
  grow: { flex: '1 1 0', minWidth: 0 },
});

/** The models of a channel: picked, taken over, asked for, or typed. */
export function ModelField({ name, presets, fetchModels, note = '', isRequired = false }: ModelFieldProps) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const notify = useNotify();
  const copy = useCopy();
  const known = useKnownModels().data ?? [];
  const { field } = useController({ name });
  const [offered, setOffered] = useState<string[]>();
  const [isFetching, setFetching] = useState(false);
  const chosen: string[] = Array.isArray(field.value) ? field.value : [];
  const add = (names: string[]) => field.onChange([...new Set([...chosen, ...names])]);

  async function fetchList(): Promise<void> {
    if (!fetchModels) return;
    setFetching(true);
    try {
      setOffered(await fetchModels());
    } catch (error) {
      notify.error(error);
    } finally {
      setFetching(false);
    }
  }

  return (
    <div className={styles.field}>
      <PickField
        name={name}
        label={t('field.models')}
        placeholder={t('form.pickPlaceholder')}
        choices={[...new Set([...presets, ...known])]}
        isRequired={isRequired}
      />
      <Text size={200} role="status" className={note ? styles.note : undefined}>
        {note}
      </Text>
      <PresetRow
        label={t('form.modelTools')}
        presets={[
          ...(fetchModels
            ? [
                {
                  key: 'fetch',
                  text: t(isFetching ? 'form.fetching' : 'form.fetch'),
                  isDisabled: isFetching,
                  onSelect: () => void fetchList(),
                },
              ]
            : []),
          {
            key: 'presets',
            text: t('form.fillPresets'),
            isDisabled: presets.length === 0,
            onSelect: () => add(presets),
          },
          { key: 'all', text: t('form.fillAll'), isDisabled: known.length === 0, onSelect: () => add(known) },
          {
            key: 'copy',
            text: t('form.copyModels'),
            isDisabled: chosen.length === 0,
            onSelect: () => void copy(chosen.join(',')),
          },
          {
            key: 'clear',
            text: t('form.clearModels'),
            isDisabled: chosen.length === 0,
            onSelect: () => field.onChange([]),
          },
        ]}
      />
      <CustomModels chosen={chosen} onAdd={add} />
      <Suspense fallback={null}>
        {offered && (
          <ModelPickDialog
            models={offered}
            chosen={chosen}
            onPick={(picked) => field.onChange([...chosen.filter((one) => !offered.includes(one)), ...picked])}
            onClose={() => setOffered(undefined)}
          />
        )}
      </Suspense>
    </div>
  );
}

function CustomModels({ chosen, onAdd }: { chosen: string[]; onAdd: (names: string[]) => void }) {
  const { t } = useTranslation('channel');
  const styles = useStyles();
  const [typed, setTyped] = useState('');
  const [refusal, setRefusal] = useState<string>();

  function add(): boolean {
    const names = typedNames(typed);
    if (names.length === 0) return true;
    if (names.some((one) => one.length > maxModelNameLength)) {
      setRefusal(t('form.modelTooLong'));
      return false;
    }
    const fresh = names.filter((one) => !chosen.includes(one));
    onAdd(fresh);
    setTyped('');
    setRefusal(fresh.length < names.length ? t('form.modelsExist') : undefined);
    return true;
  }
  const box = useTypedEntry({ add, hasText: typed.trim() !== '' });

  return (
    <div className={styles.custom}>
      <Field className={styles.grow} label={t('form.customModels')} validationMessage={refusal}>
        <Input
          {...box}
          value={typed}
          placeholder={t('form.customModelsPlaceholder')}
          onChange={(_event, { value }) => {
            setTyped(value);
            setRefusal(undefined);
          }}
        />
      </Field>
      <Button onClick={add}>{t('form.addModels')}</Button>
    </div>
  );
}
