import { Dialog, DialogSurface, Input, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { Search20Regular } from '@fluentui/react-icons/svg/search';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Command, useCommands } from './use-commands.ts';

const useStyles = makeStyles({
  surface: { padding: 0, maxWidth: '520px', overflow: 'hidden' },
  input: { width: '100%', border: 'none', '::after': { display: 'none' }, padding: '6px 12px' },
  list: { maxHeight: '50vh', overflowY: 'auto', padding: '4px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
  command: { padding: '8px 12px', borderRadius: tokens.borderRadiusMedium, cursor: 'pointer' },
  active: { backgroundColor: tokens.colorBrandBackground2, color: tokens.colorNeutralForeground1 },
  none: { display: 'block', padding: '16px', color: tokens.colorNeutralForeground3 },
});

export function PaletteDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  return (
    <Dialog open onOpenChange={(_event, { open }) => open || onClose()}>
      <DialogSurface aria-label={t('palette.label')} className={styles.surface}>
        <PaletteBody onClose={onClose} />
      </DialogSurface>
    </Dialog>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation('shell');
  const styles = useStyles();
  const [search, setSearch] = useState('');
  const [position, setPosition] = useState(0);
  const listId = useId();
  const commands = useCommands().filter(({ name }) => name.toLowerCase().includes(search.trim().toLowerCase()));
  const active = Math.min(position, commands.length - 1);

  function run(command: Command | undefined): void {
    if (!command) return;
    onClose();
    command.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setPosition((active + step + commands.length) % Math.max(commands.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      run(commands[active]);
    }
  }

  return (
    <>
      <Input
        autoFocus
        size="large"
        className={styles.input}
        contentBefore={<Search20Regular />}
        placeholder={t('palette.search')}
        value={search}
        onChange={(_event, { value }) => {
          setSearch(value);
          setPosition(0);
        }}
        onKeyDown={onKeyDown}
        input={{
          role: 'combobox',
          'aria-label': t('palette.search'),
          'aria-expanded': true,
          'aria-controls': listId,
          'aria-activedescendant': commands.length > 0 ? `${listId}-${active}` : undefined,
        }}
      />
      <div id={listId} role="listbox" aria-label={t('palette.label')} className={styles.list}>
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which names the active option
          <div
            key={command.name}
            id={`${listId}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            className={mergeClasses(styles.command, index === active && styles.active)}
            onClick={() => run(command)}
            onMouseMove={() => setPosition(index)}
          >
            {command.name}
          </div>
        ))}
      </div>
      {commands.length === 0 && (
        <Text className={styles.none} role="status">
          {t('state.noHit')}
        </Text>
      )}
    </>
  );
}
