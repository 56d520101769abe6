import {
  Drawer,
  DrawerBody,
  DrawerHeader,
  DrawerHeaderTitle,
  Dropdown,
  Field,
  Input,
  makeStyles,
  Option,
  Slider,
  Textarea,
  tokens,
} from '@fluentui/react-components';
import { Dismiss20Regular } from '@fluentui/react-icons/svg/dismiss';
import { useTranslation } from 'react-i18next';
import { useUsableGroups } from '../../api/token.ts';
import { SearchCombobox } from '../../components/form/search-combobox.tsx';
import { useListBox } from '../../components/form/use-list-box.ts';
import { IconButton } from '../../components/icon-button.tsx';
import { useIsOneColumn } from '../../state/media.ts';
import { sessionUser } from '../../state/session.ts';
import { type PlaygroundSettings, playgroundSettings } from './setting.ts';

const useStyles = makeStyles({
  drawer: { width: '320px', height: '100%', borderRadius: tokens.borderRadiusLarge },
  overlay: { maxWidth: '100vw' },
  body: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalL, paddingBottom: '24px' },
  pick: { minWidth: 0, width: '100%' },
});

interface SettingsPanelProps {
  isOpen: boolean;
  onClose: () => void;
  settings: PlaygroundSettings;
  models: string[];
}

/** Model, group and how the model is to respond; kept in this browser. */
export function SettingsPanel({ isOpen, onClose, settings, models }: SettingsPanelProps) {
  const { t } = useTranslation('playground');
  const styles = useStyles();
  const isOverlay = useIsOneColumn();
  const change = (part: Partial<PlaygroundSettings>) => playgroundSettings.set({ ...settings, ...part });
  return (
    <Drawer
      type={isOverlay ? 'overlay' : 'inline'}
      position="end"
      separator
      open={isOpen}
      className={isOverlay ? styles.overlay : styles.drawer}
      aria-label={t('settings')}
      onOpenChange={(_event, { open }) => open || onClose()}
    >
      <DrawerHeader>
        <DrawerHeaderTitle
          heading={{ as: 'h2' }}
          action={<IconButton label={t('closeSettings')} icon={<Dismiss20Regular />} onClick={onClose} />}
        >
          {t('settings')}
        </DrawerHeaderTitle>
      </DrawerHeader>
      <DrawerBody className={styles.body}>
        <ModelField model={settings.model} models={models} onChange={(model) => change({ model })} />
        <GroupField group={settings.group} onChange={(group) => change({ group })} />
        <Field label={t('field.temperature', { value: settings.temperature })} hint={t('hint.temperature')}>
          <Slider
            min={0.1}
            max={1}
            step={0.1}
            value={settings.temperature}
            onChange={(_event, { value }) => change({ temperature: Math.round(value * 10) / 10 })}
          />
        </Field>
        <Field label={t('field.maxTokens')} hint={t('hint.maxTokens')}>
          <Input
            type="number"
            min={0}
            step={1}
            value={String(settings.maxTokens)}
            onChange={(_event, { value }) => change({ maxTokens: Math.max(0, Math.trunc(Number(value)) || 0) })}
          />
        </Field>
        <Field label={t('field.system')}>
          <Textarea
            rows={5}
            resize="vertical"
            value={settings.system}
            placeholder={t('hint.system')}
            onChange={(_event, { value }) => change({ system: value })}
          />
        </Field>
      </DrawerBody>
    </Drawer>
  );
}

interface ModelFieldProps {
  model: string;
  models: string[];
  onChange: (model: string) => void;
}

function ModelField({ model, models, onChange }: ModelFieldProps) {
  const { t } = useTranslation('playground');
  return (
    <Field label={t('field.model')}>
      <SearchCombobox
        choices={models.map((one) => ({ value: one, text: one }))}
        chosen={[model]}
        text={model}
        onChoose={([picked]) => picked && onChange(picked)}
      />
    </Field>
  );
}

function GroupField({ group, onChange }: { group: string; onChange: (group: string) => void }) {
  const { t } = useTranslation('playground');
  const styles = useStyles();
  const list = useListBox();
  const user = sessionUser.use();
  const { data = {} } = useUsableGroups();
  const choices = Object.entries(data);
  const chosen = group || user?.group || '';
  return (
    <Field label={t('field.group')}>
      <Dropdown
        className={styles.pick}
        {...list}
        placeholder={choices.length === 0 ? t('noGroup') : undefined}
        value={choices.length === 0 ? '' : chosen}
        selectedOptions={[chosen]}
        onOptionSelect={(_event, { optionValue = '' }) => onChange(optionValue)}
      >
        {choices.map(([name, { ratio, desc }]) => (
          <Option key={name} value={name} text={name}>
            {t('groupChoice', { name: desc || name, ratio })}
          </Option>
        ))}
      </Dropdown>
    </Field>
  );
}
