import {
  Button,
  Checkbox,
  Menu,
  MenuItemCheckbox,
  MenuList,
  MenuPopover,
  MenuTrigger,
  makeStyles,
  Text,
  Tooltip,
  tokens,
} from '@fluentui/react-components';
import { ArrowClockwise20Regular } from '@fluentui/react-icons/svg/arrow-clockwise';
import { ColumnTriple20Regular } from '@fluentui/react-icons/svg/column-triple';
import type { ReactElement } from 'react';
import { useTranslation } from 'react-i18next';

export interface ListToolsProps {
  bulkActions: { key: string; label: string; icon: ReactElement; onSelect: () => void }[];
  markedCount: number;
  /** Marks all rows, or none: where no header of a table does. */
  onMarkAll: ((isMarked: boolean) => void) | undefined;
  rowCount: number;
  columns: { key: string; title: string }[];
  /** Keys of the columns that are shown. */
  choice: string[];
  onChoice: (keys: string[]) => void;
  hasColumns: boolean;
  onRefresh: () => void;
}

const useStyles = makeStyles({
  tools: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalXS, marginLeft: 'auto' },
  marked: { color: tokens.colorNeutralForeground3, whiteSpace: 'nowrap' },
});

/** What is done with the list itself: marked rows, columns, refresh. */
export function ListTools(props: ListToolsProps) {
  const { bulkActions, markedCount, onMarkAll, rowCount, columns, choice, onChoice, hasColumns, onRefresh } = props;
  const { t } = useTranslation('shell');
  const styles = useStyles();
  return (
    <div className={styles.tools}>
      {onMarkAll && rowCount > 0 && (
        <Checkbox
          checked={markedCount === 0 ? false : markedCount === rowCount || 'mixed'}
          aria-label={t('list.markAll')}
          onChange={(_event, { checked }) => onMarkAll(checked === true)}
        />
      )}
      {markedCount > 0 && (
        <Text size={200} className={styles.marked} role="status">
          {t('list.marked', { count: markedCount })}
        </Text>
      )}
      {bulkActions.map(({ key, label, icon, onSelect }) => (
        <Tooltip key={key} content={label} relationship="label">
          <Button appearance="subtle" icon={icon} onClick={onSelect} />
        </Tooltip>
      ))}
      {hasColumns && (
        <Menu
          checkedValues={{ columns: choice }}
          onCheckedValueChange={(_event, { checkedItems }) => {
            if (checkedItems.length > 0)
              onChoice(columns.map(({ key }) => key).filter((key) => checkedItems.includes(key)));
          }}
        >
          <MenuTrigger disableButtonEnhancement>
            <Tooltip content={t('list.columns')} relationship="label">
              <Button appearance="subtle" icon={<ColumnTriple20Regular />} />
            </Tooltip>
          </MenuTrigger>
          <MenuPopover>
            <MenuList>
              {columns.map(({ key, title }) => (
                <MenuItemCheckbox key={key} name="columns" value={key}>
                  {title}
                </MenuItemCheckbox>
              ))}
            </MenuList>
          </MenuPopover>
        </Menu>
      )}
      <Tooltip content={t('action.refresh')} relationship="label">
        <Button appearance="subtle" icon={<ArrowClockwise20Regular />} onClick={onRefresh} />
      </Tooltip>
    </div>
  );
}
