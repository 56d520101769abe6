import { Dialog, DialogSurface, Input, makeStyles, mergeClasses, Text, tokens } from '@fluentui/react-components';
import { Search20Regular } from '@fluentui/react-icons/svg/search';
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { isComposed } from '../form/entered.ts';
import type { Command } from './command.ts';
import { useCommands } from './use-commands.ts';

const useStyles = makeStyles({
  // At the same height however many hits there are: the field does not move away while words are typed into it.
  surface: { padding: 0, maxWidth: '560px', overflow: 'hidden', marginTop: '14vh', marginBottom: 'auto' },
  input: { width: '100%', border: 'none', '::after': { display: 'none' }, padding: '6px 12px' },
  list: { maxHeight: '50vh', overflowY: 'auto', padding: '4px', borderTop: `1px solid ${tokens.colorNeutralStroke2}` },
  heading: { padding: '8px 12px 2px', color: tokens.colorNeutralForeground3, fontSize: tokens.fontSizeBase200 },
  command: {
    display: 'flex',
    alignItems: 'baseline',
    gap: tokens.spacingHorizontalM,
    padding: '6px 12px',
    borderRadius: tokens.borderRadiusMedium,
    cursor: 'pointer',
  },
  name: { minWidth: 0, overflowWrap: 'anywhere' },
  detail: {
    marginInlineStart: 'auto',
    flexShrink: 0,
    maxWidth: '45%',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
  },
  active: {
    backgroundColor: tokens.colorBrandBackground2,
    color: tokens.colorNeutralForeground1,
    // Seen where a contrast theme takes the color of the surface away.
    outline: `2px solid ${tokens.colorTransparentStroke}`,
    outlineOffset: '-2px',
  },
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
  const { commands, isSearching } = useCommands(search);
  const active = Math.min(position, commands.length - 1);
  // Enter that came before the hits did: the first one is opened when it is there.
  const [isWaiting, setWaiting] = useState(false);
  const runFirst = useRef(() => {});
  runFirst.current = () => run(commands[0]);
  const activeId = `${listId}-${active}`;
  useEffect(() => {
    // In braces: newer browsers return a promise, which React would take for a cleanup.
    document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);
  useEffect(() => {
    if (!isWaiting || isSearching) return;
    setWaiting(false);
    runFirst.current();
  }, [isWaiting, isSearching]);

  function run(command: Command | undefined): void {
    if (!command) return;
    onClose();
    command.run();
  }

  function onKeyDown(event: KeyboardEvent): void {
    if (isComposed(event.nativeEvent)) return;
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setPosition((active + step + commands.length) % Math.max(commands.length, 1));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      if (commands.length === 0 && isSearching) setWaiting(true);
      else run(commands[active]);
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
          setWaiting(false);
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
        {groupsOf(commands).map(({ group, members }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a listbox
          <div key={group} role="group" aria-labelledby={`${listId}-${group}`}>
            <div id={`${listId}-${group}`} className={styles.heading}>
              {t(`palette.group.${group}`)}
            </div>
            {members.map(({ command, index }) => (
              // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field, which names the active option
              <div
                key={command.key}
                id={`${listId}-${index}`}
                role="option"
                tabIndex={-1}
                aria-selected={index === active}
                className={mergeClasses(styles.command, index === active && styles.active)}
                onClick={() => run(command)}
                onMouseMove={(event) => isMoved(event) && setPosition(index)}
              >
                <span className={styles.name}>{command.name}</span>
                {command.detail && <span className={styles.detail}>{command.detail}</span>}
              </div>
            ))}
          </div>
        ))}
      </div>
      {commands.length === 0 && (
        <Text className={styles.none} role="status">
          {t(isSearching ? 'state.loading' : 'state.noHit')}
        </Text>
      )}
    </>
  );
}

/** Hits that come under a resting pointer are not pointed at. */
const isMoved = ({ movementX, movementY }: MouseEvent) => movementX !== 0 || movementY !== 0;

/** Members of one group stand together already; each keeps its place in the whole list. */
function groupsOf(commands: Command[]) {
  const groups = new Map<Command['group'], { command: Command; index: number }[]>();
  for (const [index, command] of commands.entries()) {
    const members = groups.get(command.group) ?? [];
    groups.set(command.group, members);
    members.push({ command, index });
  }
  return [...groups].map(([group, members]) => ({ group, members }));
}
